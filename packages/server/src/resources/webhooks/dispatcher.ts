import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookRow } from "../../db/schema/tables/events.ts";
import { newId } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { claim, isAnyThere, listReady, RENEW_MS, release, updateHeld } from "./lease.ts";
import { serve } from "./serve.ts";
import { workspaceOf } from "./topic.ts";

/** The net below the wake-ups, and how exactly retries keep their time. */
const POLL_MS = 500;
/** What wakes within this time is looked at together. */
const GATHER_MS = 20;
const LOOKED_AT = 200;
/** Webhooks served at once by this process, and of one workspace among them, so that none starves the others. */
const CONCURRENCY = 16;
const PER_WORKSPACE = 4;
/** How long what is under way may take when the process stops. */
const DRAIN_MS = 3000;

/**
 * Serves the webhooks of all workspaces together with the other processes on the store. A webhook is held by a lease:
 * one process at a time sends for it, and what a killed process held is taken over when its lease ends.
 */
export class WebhookDispatcher {
  readonly #app: Services;
  readonly #running = new Map<string, { readonly workspaceId: string; readonly work: Promise<void> }>();
  readonly #woken = new Set<string>();
  readonly #ending = new AbortController();
  readonly #cut = new AbortController();
  #wake = Promise.withResolvers<void>();
  /** While there is no webhook at all, events are none of our business. */
  #isAnyThere = false;
  #loop: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;

  constructor(app: Services) {
    this.#app = app;
  }

  start(): void {
    this.#stopListening = this.#app.database.listen((topic) => this.#hear(topic));
    this.#loop = this.#run();
  }

  /** Begins nothing more, lets what is under way end for a while, and gives everything back. */
  async close(): Promise<void> {
    this.#stopListening?.();
    this.#ending.abort();
    this.#wake.resolve();
    await this.#loop;
    const ended = Promise.allSettled([...this.#running.values()].map(({ work }) => work));
    const timer = setTimeout(() => this.#cut.abort(), DRAIN_MS);
    await ended;
    clearTimeout(timer);
  }

  #hear(topic: string | undefined): void {
    const workspaceId = topic && workspaceOf(topic);
    if (!workspaceId || (!this.#isAnyThere && topic.startsWith("events:"))) return;
    this.#woken.add(workspaceId);
    this.#wake.resolve();
  }

  async #run(): Promise<void> {
    let pollAt = 0;
    while (!this.#ending.signal.aborted) {
      const isPoll = Date.now() >= pollAt;
      if (isPoll) pollAt = Date.now() + POLL_MS;
      await this.#look(isPoll).catch((error) => this.#app.log.warn({ err: error }, "looking for webhooks failed"));
      await Promise.race([this.#wake.promise, sleep(Math.max(1, pollAt - Date.now()), undefined, { ref: false })]);
      this.#wake = Promise.withResolvers<void>();
      if (this.#woken.size > 0) await sleep(GATHER_MS, undefined, { ref: false });
    }
  }

  async #look(isPoll: boolean): Promise<void> {
    const { read } = this.#app.database;
    const woken = [...this.#woken];
    this.#woken.clear();
    if (!isPoll && woken.length === 0) return;
    if (isPoll) this.#isAnyThere = await isAnyThere(read);
    else this.#isAnyThere = true;
    if (!this.#isAnyThere) return;
    for (const key of await listReady(read, Date.now(), isPoll ? undefined : woken, LOOKED_AT))
      if (this.#hasRoomFor(key.workspace_id) && !this.#running.has(key.id)) await this.#take(key);
  }

  #hasRoomFor(workspaceId: string): boolean {
    const ofWorkspace = [...this.#running.values()].filter((one) => one.workspaceId === workspaceId).length;
    return this.#running.size < CONCURRENCY && ofWorkspace < PER_WORKSPACE;
  }

  async #take(key: { workspace_id: string; id: string }): Promise<void> {
    const held = await claim(this.#app.database, key, newId("proc"));
    if (!held) return;
    const work = this.#work(held).finally(() => {
      this.#running.delete(held.id);
      // Whatever came while it was being let go.
      this.#woken.add(held.workspace_id);
      this.#wake.resolve();
    });
    this.#running.set(held.id, { workspaceId: held.workspace_id, work });
  }

  async #work(held: WebhookRow): Promise<void> {
    const { database, log } = this.#app;
    const lost = new AbortController();
    const cut = AbortSignal.any([lost.signal, this.#cut.signal]);
    const renewing = setInterval(() => void this.#renew(held, lost), RENEW_MS);
    try {
      const left = await serve(this.#app, held, { ending: this.#ending.signal, cut });
      if (left) await release(database, left);
    } catch (error) {
      // Cut off by a stop it is given back at once. After a failure it rests until its lease ends.
      if (this.#cut.signal.aborted) await release(database, held).catch(() => undefined);
      else if (!lost.signal.aborted) log.warn({ err: error, webhook_id: held.id }, "webhook could not be served");
    } finally {
      clearInterval(renewing);
    }
  }

  async #renew(held: WebhookRow, lost: AbortController): Promise<void> {
    const row = await this.#app.database.transaction((tx) => updateHeld(tx, held)).catch(() => held);
    if (!row) lost.abort();
  }
}
