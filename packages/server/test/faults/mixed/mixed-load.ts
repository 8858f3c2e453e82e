import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { EventReader, type ReaderOptions } from "../../support/event-reader.ts";
import { seeded } from "../../support/random.ts";
import { jobStarter, keyedWriter, searcher, sendKeyed, translator, uploader, writer } from "./actors.ts";
import { Caller } from "./caller.ts";
import { discusser, sendRemark } from "./discussion.ts";
import { LoadRecord } from "./record.ts";
import type { Scene, Step } from "./scene.ts";

const ACTORS = [writer, writer, writer, uploader, keyedWriter, jobStarter, translator, discusser, searcher];
const READERS = 2;
/** One token for the actors and one for each reader, which may hold few streams at once. */
export const TOKENS = 1 + READERS;

interface LoadTarget {
  /** The current address of the server. */
  readonly url: () => string;
  readonly tokens: readonly string[];
  readonly base: number;
  readonly seed: number;
  /** A member whom comments mention. */
  readonly mentioned?: string | undefined;
  /** Whether answers are held against what this release's routes declare. */
  readonly checked?: boolean;
}

/** Documents, batches, uploads, jobs, streams, search and keyed writes at once, against a server that may fail. */
export class MixedLoad {
  readonly record = new LoadRecord();
  readonly #target: LoadTarget;
  readonly #scenes: Scene[];
  #work: Promise<unknown> | undefined;
  #readers: Promise<unknown> | undefined;
  #stopped = false;
  #lastEventId = Number.POSITIVE_INFINITY;

  constructor(target: LoadTarget) {
    this.#target = target;
    const { checked = true } = target;
    const caller = new Caller(target.url, defined(target.tokens[0]), this.record, { checked });
    this.#scenes = ACTORS.map((_, i) => ({
      caller,
      record: this.record,
      base: target.base,
      mentioned: target.mentioned,
      random: seeded(target.seed * 100 + i),
    }));
  }

  start(): void {
    this.#work = Promise.all(ACTORS.map((actor, i) => this.#loop(actor(defined(this.#scenes[i])))));
    this.#readers = Promise.all(this.#target.tokens.slice(1).map((token) => this.#read(token)));
    this.#readers.catch(() => undefined);
  }

  /** Until so many more writes have been acknowledged, however slow the machine is. */
  async more(count: number): Promise<void> {
    const goal = this.record.acknowledged + count;
    for (const deadline = Date.now() + 90_000; this.record.acknowledged < goal; await sleep(10))
      assert.ok(Date.now() < deadline, `only ${this.record.acknowledged} of ${goal} writes were acknowledged`);
  }

  /** Ends the writing; what was sent under a key and not answered is sent once more. */
  async stopWriting(): Promise<void> {
    this.#stopped = true;
    await this.#work;
    for (const send of [sendKeyed, sendRemark])
      assert.ok(await send(defined(this.#scenes[0])), "the server serves again");
  }

  /** Ends the streams once they have all events. */
  async stopReading(lastEventId: number): Promise<void> {
    this.#lastEventId = lastEventId;
    await this.#readers;
  }

  /** Ends everything, whatever state it is in. */
  async abandon(): Promise<void> {
    this.#stopped = true;
    this.#lastEventId = 0;
    await Promise.allSettled([this.#work, this.#readers]);
  }

  async #loop(step: Step): Promise<void> {
    while (!this.#stopped) if (!(await step())) await sleep(50);
  }

  /** Follows the events from the beginning; comes back with the last id it has whenever the stream breaks. */
  async #read(token: string): Promise<void> {
    const seen: number[] = [];
    this.record.streams.push(seen);
    const isDone = () => (seen.at(-1) ?? 0) >= this.#lastEventId;
    for (let tries = 0; !isDone(); tries++) {
      assert.ok(tries < 500, `a reader came no further than ${seen.at(-1)} of ${this.#lastEventId}`);
      const onEvent: ReaderOptions["onEvent"] = (event) => {
        if (event.type === "sync.required") this.record.unexpected.push("a stream lost its place");
        if (event.id !== undefined) seen.push(event.id);
      };
      const options = { lastEventId: seen.at(-1) ?? 0, onEvent };
      const stream = await EventReader.open(this.#target.url(), token, options).catch(() => undefined);
      const over = () => Promise.race([stream?.ended, sleep(100, "open")]);
      if (stream?.status === 200) while (!isDone() && (await over()) === "open");
      stream?.close();
      if (!isDone()) await sleep(100);
    }
  }
}
