import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import type { Random } from "@svc/live/testing/random";
import type { Loose } from "../../support/client.ts";
import { type Got, type Sent, sendOnce } from "../../support/history/send.ts";
import { Author } from "./words.ts";

interface AgentOptions {
  readonly name: string;
  readonly urls: readonly string[];
  readonly token: string;
  readonly documents: readonly string[];
  readonly random: Random;
}

/** A program that writes into the documents that people edit. What gets no answer is sent again under the same key. */
export class Agent {
  readonly author: Author;
  readonly #options: AgentOptions;
  #isOver = false;
  #work: Promise<void> | undefined;
  #isAbandoned = false;
  #serial = 0;
  written = 0;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.author = new Author(options.name);
  }

  start(): void {
    this.#work = this.#write();
    this.#work.catch(() => undefined);
  }

  /** Waits for the answer to its last request. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  /** Waits for nothing. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  async #write(): Promise<void> {
    const { random, documents } = this.#options;
    while (!this.#isOver) {
      const id = random.pick(documents);
      const kind = random.below(4);
      if (kind === 0) await this.#insert(id);
      else if (kind === 1) await this.#move(id);
      else await this.#append(id);
      await sleep(random.below(200));
    }
  }

  /** A line of its own. */
  async #insert(id: string): Promise<void> {
    const word = this.author.next(id);
    const position = this.#options.random.chance(0.5) ? { document_start: true } : { document_end: true };
    const body = { position, nodes: [p(`${word.text} `)] };
    const { status, text } = await this.#send({ method: "POST", path: `/documents/${id}/blocks`, body });
    assert.equal(status, 201, text);
  }

  /** A line of anybody's. */
  async #move(id: string): Promise<void> {
    const { version, nodes } = await this.#read(id);
    const { attrs } = this.#options.random.pick(nodes);
    const operations = [{ op: "move", block_id: attrs.id, position: { document_start: true } }];
    await this.#change({ method: "POST", path: `/documents/${id}/batch`, body: { base_version: version, operations } });
  }

  /** A word at the end of a line in which people type; what they typed since it was read must not be overwritten. */
  async #append(id: string): Promise<void> {
    const { version, nodes } = await this.#read(id);
    const node = this.#options.random.pick(nodes);
    const word = this.author.next(id);
    const text = { type: "text", text: `${word.text} ` };
    const changed = { ...node, content: [...(node.content ?? []), text] };
    const operations = [{ op: "replace", block_id: node.attrs.id, node: changed }];
    const sent = { method: "POST", path: `/documents/${id}/batch`, body: { base_version: version, operations } };
    if (!(await this.#change(sent))) word.isGone = true;
  }

  /** Whether it was done; somebody else may have been first. */
  async #change(sent: Sent): Promise<boolean> {
    const { status, body, text } = await this.#send(sent);
    if (status === 200) return true;
    assert.equal(body?.error?.code, "version_conflict", text);
    return false;
  }

  async #read(id: string): Promise<{ version: string; nodes: Loose[] }> {
    const { status, body, text } = await this.#send({ method: "GET", path: `/documents/${id}/content` });
    assert.equal(status, 200, text);
    return { version: body.data.version, nodes: body.data.document.content };
  }

  /** Sends until somebody answers who can. */
  async #send(sent: Sent): Promise<Got> {
    const { urls, token, random, name } = this.#options;
    const headers: Record<string, string> =
      sent.method === "GET" ? {} : { "idempotency-key": `${name}-${this.#serial++}` };
    for (;;) {
      const got = await sendOnce(random.pick(urls), token, { ...sent, headers });
      const isAway = !got || got.status === 503 || got.body?.error?.code === "idempotency_in_progress";
      if (!isAway) {
        if (sent.method !== "GET" && got.status < 300) this.written++;
        return defined(got);
      }
      if (this.#isAbandoned) throw new Error("The history was given up.");
      await sleep(random.below(200));
    }
  }
}
