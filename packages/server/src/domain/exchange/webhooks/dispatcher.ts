import { LeaseLost, type Taken } from "../../../background/lease.ts";
import { Loop } from "../../../background/loop.ts";
import type { WebhookRow } from "../../../db/schema/tables/events.ts";
import type { Services } from "../../../services.ts";
import { isAnyThere, listReady, release, take } from "./lease.ts";
import { serve } from "./serve.ts";
import { workspaceOf } from "./topic.ts";

/** Fallback for missed wake-ups; also the precision of retry times. */
const POLL_MS = 500;
/** Wake-ups within this time are handled together. */
const GATHER_MS = 20;
const LOOKED_AT = 200;
/** Limit of webhooks served at once by this process; the limit per workspace keeps one from starving the others. */
const CONCURRENCY = 16;
const PER_WORKSPACE = 4;
/** How long running deliveries may take at shutdown. */
const DRAIN_MS = 3000;
/** Pause after an unexpected failure. */
const REST_MS = 10_000;

/**
 * Serves the webhooks of all workspaces, shared among the processes on the same store. A lease lets only one process
 * send for a webhook; other processes take over from a killed one.
 */
export class WebhookDispatcher {
  readonly #app: Services;
  readonly #running = new Map<string, { readonly workspaceId: string; readonly work: Promise<void> }>();
  readonly #woken = new Set<string>();
  readonly #cut = new AbortController();
  readonly #loop: Loop;
  readonly #stopListening: () => void;
  /** Events are ignored while there are no webhooks. */
  #isAnyThere = false;
  #polledAt = Number.NEGATIVE_INFINITY;

  constructor(app: Services) {
    this.#app = app;
    this.#stopListening = app.database.listen((topic) => this.#hear(topic));
    this.#loop = new Loop({
      round: () => this.#look(),
      pauseMs: POLL_MS,
      firstAfterMs: 0,
      gatherMs: GATHER_MS,
      failed: (error) => app.log.warn({ err: error }, "looking for webhooks failed"),
    });
  }

  /** Starts nothing new, lets running deliveries finish for a while and releases all leases. */
  async close(): Promise<void> {
    this.#stopListening();
    await this.#loop.stop();
    const ended = Promise.allSettled([...this.#running.values()].map(({ work }) => work));
    const timer = setTimeout(() => this.#cut.abort(), DRAIN_MS);
    await ended;
    clearTimeout(timer);
  }

  #hear(topic: string | undefined): void {
    const workspaceId = topic && workspaceOf(topic);
    if (!workspaceId || (!this.#isAnyThere && topic.startsWith("events:"))) return;
    this.#woken.add(workspaceId);
    this.#loop.wake();
  }

  async #look(): Promise<void> {
    const isPoll = performance.now() - this.#polledAt >= 0.9 * POLL_MS;
    if (isPoll) this.#polledAt = performance.now();
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
    const taken = await take(this.#app.leases, key);
    if (!taken) return;
    const { workspace_id: workspaceId, id } = key;
    const work = this.#work(taken).finally(() => {
      this.#running.delete(id);
      // Wakes that arrived while the webhook was being released.
      this.#woken.add(workspaceId);
      this.#loop.wake();
    });
    this.#running.set(id, { workspaceId, work });
  }

  async #work({ lease, claimed }: Taken<WebhookRow>): Promise<void> {
    const { database, log } = this.#app;
    const cut = AbortSignal.any([lease.lost, this.#cut.signal]);
    try {
      const left = await serve(this.#app, claimed, { lease, ending: this.#loop.signal, cut });
      await release(database, lease, left ?? claimed);
    } catch (error) {
      if (error instanceof LeaseLost || lease.isEnded) return;
      // If shutdown aborted the turn, release the webhook at once.
      if (this.#cut.signal.aborted) return void (await release(database, lease, claimed).catch(() => lease.forget()));
      log.warn({ err: error, webhook_id: claimed.id }, "webhook could not be served");
      setTimeout(() => lease.forget(), REST_MS).unref();
    }
  }
}
