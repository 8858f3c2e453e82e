import type { Readable } from "node:stream";
import { defined } from "@svc/document/defined";
import { Loop } from "../background/loop.ts";
import type { Database } from "../db/database.ts";
import { apiError } from "../errors.ts";
import { loadRights, needsRights, parseBound } from "../rights/load-rights.ts";
import type { EventStreams, StreamRequest } from "../services/event-streams.ts";
import type { Services } from "../services.ts";
import { OpenStreams } from "./open-streams.ts";
import { type EventReads, eventReads, liveSessions, liveTokens, newestOf } from "./queries.ts";
import type { EventFilter } from "./rendered.ts";
import { checkResume, retainedSince, syncRequired } from "./resume.ts";
import { EventStream } from "./stream.ts";
import { Tail } from "./tail.ts";
import { topicOf } from "./topic.ts";

/** The fallback for lost announcements: the longest delay until a change is seen. */
const LOOK_MS = 1000;
const IDS_PER_QUERY = 500;
/** A reader that accepts nothing during so many heartbeats, while something waits for it, is disconnected. */
const PATIENCE_BEATS = 2;
/** How long a reader may take to receive the rest when the server stops. */
const END_MS = 500;

type Living = Awaited<ReturnType<typeof liveTokens>>[number];

/** All event streams of this process: one tail per workspace, and the timers that they share. */
export class StreamHub implements EventStreams {
  readonly #database: Database;
  readonly #config: Services["config"];
  readonly #log: Services["log"];
  readonly #reads: EventReads;
  readonly #open: OpenStreams;
  readonly #tails = new Map<string, Tail>();
  readonly #byTopic = new Map<string, Tail>();
  readonly #streams = new Set<EventStream>();
  #stopClockwork: (() => void) | undefined;
  #closed = false;

  constructor({ database, config, log, presence }: Pick<Services, "database" | "config" | "log" | "presence">) {
    this.#database = database;
    this.#config = config;
    this.#log = log;
    this.#reads = eventReads(database.read);
    this.#open = new OpenStreams(database, presence, config.sseMaxConnectionsPerToken);
  }

  get reads(): EventReads {
    return this.#reads;
  }

  get size(): number {
    return this.#streams.size;
  }

  async open({ caller, filter, after }: StreamRequest): Promise<Readable> {
    this.#refuseIfClosed();
    const id = await this.#open.take(caller.tokenId);
    try {
      const stream = await this.#start(caller, filter, after, () => this.#open.give(caller.tokenId, id));
      stream.catchUp();
      return stream;
    } catch (error) {
      this.#open.give(caller.tokenId, id);
      throw error;
    }
  }

  /** Ends every stream, at once and cleanly, and accepts no new ones. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopClockwork?.();
    for (const stream of this.#streams) stream.finish();
    setTimeout(() => {
      for (const stream of this.#streams) stream.destroy();
    }, END_MS).unref();
    await this.#open.end().catch((error) => this.#log.warn({ err: error }, "releasing open streams failed"));
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw apiError("unavailable", {}, { "retry-after": "2" });
  }

  async #start(
    { tokenId, workspaceId }: StreamRequest["caller"],
    filter: EventFilter,
    after: StreamRequest["after"],
    release: () => void,
  ): Promise<EventStream> {
    const retentionDays = this.#config.eventRetentionDays;
    const id = after === "unknown" ? undefined : after;
    const sync =
      after === undefined
        ? undefined
        : await checkResume(this.#database, this.#reads, { workspaceId, id, retentionDays });
    const asked = this.#tails.get(workspaceId)?.position ?? 0;
    const newest = await this.#reads.newest(workspaceId);
    this.#refuseIfClosed();
    const tail = this.#tailOf(workspaceId, newest);
    tail.users++;
    const stream = new EventStream({
      tokenId,
      workspaceId,
      wants: filter,
      position: sync?.resume_from ?? id ?? newest,
      sync,
      tail,
      reads: this.#reads,
      explain: (position) => this.#explain(workspaceId, position),
      closed: (closed) => {
        release();
        this.#forget(closed, tail);
      },
    });
    this.#streams.add(stream);
    this.#stopClockwork ??= this.#startClockwork();
    // A tail that is slightly behind would send a new reader events from before it connected.
    await tail.align(newest, asked).catch((error) => {
      stream.destroy();
      throw error;
    });
    return stream;
  }

  async #explain(workspaceId: string, position: number) {
    const newest = await this.#reads.newest(workspaceId);
    const since = retainedSince(this.#config.eventRetentionDays);
    const reason = position > newest ? "cursor_unknown" : "cursor_expired";
    return syncRequired(this.#database, workspaceId, newest, since, reason);
  }

  #tailOf(workspaceId: string, newest: number): Tail {
    const known = this.#tails.get(workspaceId);
    if (known) return known;
    const tail = new Tail(workspaceId, newest, this.#reads);
    this.#tails.set(workspaceId, tail);
    this.#byTopic.set(topicOf(workspaceId), tail);
    return tail;
  }

  #forget(stream: EventStream, tail: Tail): void {
    this.#streams.delete(stream);
    if (--tail.users === 0) {
      this.#tails.delete(tail.workspaceId);
      this.#byTopic.delete(topicOf(tail.workspaceId));
    }
    if (this.#streams.size > 0) return;
    this.#stopClockwork?.();
    this.#stopClockwork = undefined;
  }

  /** Runs only while there are streams. */
  #startClockwork(): () => void {
    const { eventHeartbeatMs } = this.#config;
    const warn = (error: unknown) => this.#log.warn({ err: error }, "maintaining event streams failed");
    const every = (pauseMs: number, round: () => Promise<void> | void) =>
      new Loop({ round, pauseMs, failed: warn }).stop;
    const stops = [
      this.#database.listen((topic) => void this.#wake(topic).catch(warn)),
      every(eventHeartbeatMs, () => this.#beat()),
      // A third of the period, so that a revocation is sent within one period.
      every(Math.min(5000, Math.ceil(eventHeartbeatMs / 3)), () => this.#checkTokens()),
      every(LOOK_MS, () => this.#lookEverywhere()),
    ];
    return () => {
      for (const stop of stops) void stop();
    };
  }

  async #wake(topic: string | undefined): Promise<void> {
    if (topic === undefined) return this.#lookEverywhere();
    await this.#byTopic.get(topic)?.read();
  }

  async #lookEverywhere(): Promise<void> {
    const ids = [...this.#tails.keys()];
    for (let i = 0; i < ids.length; i += IDS_PER_QUERY) {
      const some = ids.slice(i, i + IDS_PER_QUERY);
      const asked = new Map(some.map((id) => [id, this.#tails.get(id)?.position ?? 0]));
      for (const { workspace_id, last_event_id } of await newestOf(this.#database.read, some))
        await this.#tails.get(workspace_id)?.align(last_event_id, defined(asked.get(workspace_id)));
    }
  }

  #beat(): void {
    const tooLong = performance.now() - PATIENCE_BEATS * this.#config.eventHeartbeatMs;
    for (const stream of this.#streams) {
      if (stream.fullSince !== undefined && stream.fullSince <= tooLong) stream.destroy();
      else stream.beat();
    }
  }

  /** Returns the tokens and sessions among these ids that are still valid. */
  async #living(ids: readonly string[]): Promise<Living[]> {
    const { read } = this.#database;
    return [...(await liveTokens(read, ids)), ...(await liveSessions(read, ids))];
  }

  #rightsOf({ workspace_id, user_id, role, rights_version, knowledge_base_ids }: Living) {
    const boundTo = parseBound(knowledge_base_ids ?? null);
    const asking = { workspaceId: workspace_id, userId: user_id, role, rightsVersion: rights_version, boundTo };
    return needsRights(asking) ? loadRights(this.#database.read, asking) : undefined;
  }

  async #checkTokens(): Promise<void> {
    const ids = [...new Set([...this.#streams].map((stream) => stream.tokenId))];
    const live = new Map<string, Living>();
    for (let i = 0; i < ids.length; i += IDS_PER_QUERY)
      for (const living of await this.#living(ids.slice(i, i + IDS_PER_QUERY)))
        live.set(`${living.workspace_id} ${living.id}`, living);
    const asked = new Set(ids);
    const now = Date.now();
    for (const stream of this.#streams) {
      const living = live.get(`${stream.workspaceId} ${stream.tokenId}`);
      if (!living && asked.has(stream.tokenId)) stream.finish("auth.revoked", { reason: "revoked" });
      else if (living?.expires_at && living.expires_at <= now) stream.finish("auth.revoked", { reason: "expired" });
      else if (living) stream.see((await this.#rightsOf(living))?.hidden);
    }
  }
}
