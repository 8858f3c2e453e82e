import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import type { DocumentRow } from "../db/schema/tables/documents.ts";
import type { EventRow } from "../db/schema/tables/events.ts";
import type { Tables } from "../db/schema/tables.ts";
import { batchesOf } from "../db/statement/batches.ts";
import { statement } from "../db/statement/statement.ts";
import type { LastStep } from "../db/transaction/last-steps.ts";
import { quotaExceeded } from "../quota-error.ts";
import type { Actor } from "./actor.ts";
import { type KnowledgeBaseTotals, knowledgeBaseTotalsOf } from "./knowledge-base-totals.ts";
import { topicOf } from "./topic.ts";

export type EventType =
  | "document.created"
  | "document.metadata.updated"
  | "document.content.updated"
  | "document.deleted"
  | "comment.created"
  | "comment.updated"
  | "comment.resolved"
  | "comment.deleted"
  | "suggestion.created"
  | "suggestion.decided"
  | "notification.created";

/** The data of an event apart from its document. */
type EventSubject =
  | { readonly comment: { readonly id: string; readonly thread_id: string } }
  | { readonly suggestion: { readonly id: string; readonly status: string } }
  | { readonly notification: PersonalSubject };

type PersonalSubject = { readonly id: string; readonly reason: string };

type Total = "knowledge_bases" | "folders" | "documents" | "attachment_bytes";

interface Pending {
  readonly type: EventType;
  /** Undefined for an event without a document, which only a personal event may be. */
  readonly document: DocumentRow | undefined;
  readonly actor: Actor;
  readonly subject: EventSubject | undefined;
  /** The only person who sees it. */
  readonly userId: string | null;
}

type Counters = Tables["workspace_counters"];

const addTotals = statement<{ workspaceId: string; events: number } & Record<Total, number>, Counters>((db, value) =>
  db
    .updateTable("workspace_counters")
    .set((eb) => ({
      last_event_id: eb("last_event_id", "+", value("events")),
      knowledge_bases: eb("knowledge_bases", "+", value("knowledge_bases")),
      folders: eb("folders", "+", value("folders")),
      documents: eb("documents", "+", value("documents")),
      attachment_bytes: eb("attachment_bytes", "+", value("attachment_bytes")),
    }))
    .where("workspace_id", "=", value("workspaceId"))
    .returningAll(),
);

/** An event whose id is not known yet: `data` is the part after the id. */
type NewEvent = Omit<EventRow, "id">;
const DATA_START = '{"event_id":';

/**
 * Inserts an event under the counter's current id, or `below` it, so that no one has to read the counter while it is
 * locked.
 */
const insertCounted = statement<NewEvent & { readonly below: number }, unknown>((db, value) => {
  const id = db
    .selectFrom("workspace_counters")
    .select((eb) => eb("last_event_id", "-", value("below")).as("id"))
    .where("workspace_id", "=", value("workspace_id"));
  return db.insertInto("events").values({
    workspace_id: value("workspace_id"),
    id,
    type: value("type"),
    document_id: value("document_id"),
    document_set_id: value("document_set_id"),
    locale: value("locale"),
    user_id: value("user_id"),
    created_at: value("created_at"),
    // SQLite binds every number as a float: without the cast the text would say 7.0.
    data: sql<string>`${sql.lit(DATA_START)} || cast(${id} as bigint) || cast(${value("data")} as text)`,
  });
});

/** Up to this many events are written by one statement each. */
const MAX_SINGLE_INSERTS = 16;

/**
 * The changes of a transaction to its workspace: totals, checked against their quotas, and events. All of them are
 * written in the last step before the commit, under the lock of the workspace's counter row. The lock is held until
 * others can see the commit, so a later event id of a workspace never becomes visible before an earlier one; and
 * because counter and events commit or roll back together, the ids of a workspace have no gaps. Readers of events/ rely
 * on both.
 */
export const ledgerOf = (tx: Tx, workspaceId: string): Ledger =>
  tx.lastStep("events", workspaceId, () => new Ledger(tx, workspaceId));

class Ledger implements LastStep {
  readonly name = "events";
  readonly workspaceId: string;
  readonly #tx: Tx;
  readonly #deltas = new Map<Total, { delta: number; limit: number }>();
  readonly #events: Pending[] = [];

  constructor(tx: Tx, workspaceId: string) {
    this.#tx = tx;
    this.workspaceId = workspaceId;
  }

  /** Adds to a total. Growth beyond the limit refuses the whole transaction. */
  count(total: Total, delta: number, limit = Number.MAX_SAFE_INTEGER): void {
    const sum = (this.#deltas.get(total)?.delta ?? 0) + delta;
    this.#deltas.set(total, { delta: sum, limit });
  }

  /** Adds to the totals of a knowledge base. The transaction has locked the knowledge base, so it exists. */
  countIn(knowledgeBaseId: number, counted: Partial<KnowledgeBaseTotals>): void {
    knowledgeBaseTotalsOf(this.#tx, this.workspaceId).add(knowledgeBaseId, counted);
  }

  /** Drops the totals of a deleted knowledge base. */
  forget(knowledgeBaseId: number): void {
    knowledgeBaseTotalsOf(this.#tx, this.workspaceId).forget(knowledgeBaseId);
  }

  event(type: EventType, document: DocumentRow, actor: Actor, subject?: EventSubject): void {
    this.#events.push({ type, document, actor, subject, userId: null });
  }

  /** Adds an event that only one person sees. */
  notice(userId: string, document: DocumentRow | undefined, actor: Actor, notification: PersonalSubject): void {
    this.#events.push({ type: "notification.created", document, actor, subject: { notification }, userId });
  }

  /** If totals may be refused, each transaction must be checked alone. */
  join(later: LastStep): boolean {
    if (!(later instanceof Ledger) || this.mayRefuse || later.mayRefuse) return false;
    for (const [total, { delta, limit }] of later.#deltas) this.count(total, delta, limit);
    this.#events.push(...later.#events);
    return true;
  }

  async write(): Promise<void> {
    const tx = this.#tx;
    if (this.#deltas.size === 0 && this.#events.length === 0) return;
    const rows = this.#rows();
    const isFew = rows.length <= MAX_SINGLE_INSERTS;
    // Nothing waits while the counters are locked, unless something depends on their values. Without counters,
    // inserting an event fails; a count alone is checked, so that it is never lost silently.
    if (isFew && rows.length > 0 && !this.#mayExceed) await addTotals.enqueue(tx, this.#totals);
    else await this.#advance(tx, isFew ? [] : rows);
    if (isFew)
      for (const [i, row] of rows.entries()) await insertCounted.enqueue(tx, { ...row, below: rows.length - 1 - i });
    if (rows.length > 0) tx.announce(topicOf(this.workspaceId));
  }

  get mayRefuse(): boolean {
    return this.#mayExceed;
  }

  get #mayExceed(): boolean {
    return this.#deltas.values().some(({ delta, limit }) => delta > 0 && limit < Number.MAX_SAFE_INTEGER);
  }

  get #totals() {
    const deltaOf = (total: Total) => this.#deltas.get(total)?.delta ?? 0;
    return {
      workspaceId: this.workspaceId,
      events: this.#events.length,
      knowledge_bases: deltaOf("knowledge_bases"),
      folders: deltaOf("folders"),
      documents: deltaOf("documents"),
      attachment_bytes: deltaOf("attachment_bytes"),
    };
  }

  /** Adds to the totals, checks their limits, and writes these events. */
  async #advance(tx: Tx, rows: readonly NewEvent[]): Promise<void> {
    const [counters] = await addTotals(tx, this.#totals);
    if (!counters) throw new Error(`Workspace ${this.workspaceId} has no counters.`);
    for (const [total, { delta, limit }] of this.#deltas)
      if (delta > 0 && counters[total] > limit) throw quotaExceeded(total, limit, counters[total] - delta);
    const first = counters.last_event_id - rows.length + 1;
    const numbered = rows.map((row, i) => ({ ...row, id: first + i, data: `${DATA_START}${first + i}${row.data}` }));
    for (const some of batchesOf(numbered)) await tx.insertInto("events").values(some).execute();
  }

  #rows(): NewEvent[] {
    const createdAt = Date.now();
    return this.#events.map((event) => this.#row(event, createdAt));
  }

  #row({ type, document, actor, subject, userId }: Pending, createdAt: number): NewEvent {
    const data = {
      type,
      workspace_id: this.workspaceId,
      document_id: document?.id ?? null,
      created_at: new Date(createdAt).toISOString(),
      document: document ? eventDocument(document) : null,
      actor: { user_id: actor.userId, token_id: actor.tokenId, client: actor.client.name },
      ...subject,
    };
    return {
      workspace_id: this.workspaceId,
      type,
      document_id: document?.id ?? "",
      document_set_id: document?.document_set_id ?? null,
      locale: document?.locale ?? null,
      user_id: userId,
      created_at: createdAt,
      data: `,${JSON.stringify(data).slice(1)}`,
    };
  }
}

const eventDocument = (document: DocumentRow) => ({
  title: document.title,
  knowledge_base_id: document.knowledge_base_id,
  folder_id: document.folder_id,
  document_type: document.document_type,
  version: document.version,
  updated_at: document.updated_at,
  document_set_id: document.document_set_id,
  locale: document.locale,
});
