import { batchesOf } from "../db/batches.ts";
import type { Db } from "../db/database.ts";
import { prepared } from "../db/prepared.ts";
import { announce } from "../db/signals.ts";
import type { DocumentRow } from "../db/tables/documents.ts";
import type { EventRow } from "../db/tables/events.ts";
import type { Tables } from "../db/tables.ts";
import { beforeCommit, runWithEnd } from "../db/transaction.ts";
import { apiError, notFound } from "../errors.ts";
import type { Actor } from "./actor.ts";
import { topicOf } from "./topic.ts";

export type EventType =
  | "document.created"
  | "document.metadata.updated"
  | "document.content.updated"
  | "document.deleted";

type Total = "knowledge_bases" | "folders" | "documents" | "attachment_bytes";

interface Pending {
  readonly type: EventType;
  readonly document: DocumentRow;
  readonly actor: Actor;
}

type Counters = Tables["workspace_counters"];

const addTotals = prepared<{ workspaceId: string; events: number } & Record<Total, number>, Counters>((db, value) =>
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

interface PlaceDelta {
  readonly workspaceId: string;
  readonly id: number;
  readonly documents: number;
  readonly folders: number;
}

const addInPlace = prepared<PlaceDelta, { id: number }>((db, value) =>
  db
    .updateTable("knowledge_bases")
    .set((eb) => ({
      document_count: eb("document_count", "+", value("documents")),
      folder_count: eb("folder_count", "+", value("folders")),
    }))
    .where("workspace_id", "=", value("workspaceId"))
    .where("id", "=", value("id"))
    .returning("id"),
);

const insertEvent = prepared<EventRow, unknown>((db, value) =>
  db.insertInto("events").values({
    workspace_id: value("workspace_id"),
    id: value("id"),
    type: value("type"),
    document_id: value("document_id"),
    document_set_id: value("document_set_id"),
    locale: value("locale"),
    created_at: value("created_at"),
    data: value("data"),
  }),
);

const ledgers = new WeakMap<Db, Map<string, Ledger>>();

/**
 * What a transaction adds to its workspace: totals against their quotas, and events. All of it is written in the last
 * step before the commit, under the lock of the workspace's counter row. The lock is held until the commit is visible to
 * others, so a later event id of a workspace never becomes visible before an earlier one; and as counter and events
 * commit or vanish together, the ids of a workspace have no gaps. Readers of events/ rely on both.
 */
export function ledgerOf(tx: Db, workspaceId: string): Ledger {
  const ofTransaction = ledgers.get(tx) ?? new Map<string, Ledger>();
  ledgers.set(tx, ofTransaction);
  const known = ofTransaction.get(workspaceId);
  if (known && !known.written) return known;
  const ledger = new Ledger(workspaceId);
  ofTransaction.set(workspaceId, ledger);
  beforeCommit(tx, ledger, () => ledger.write(tx));
  return ledger;
}

export class Ledger {
  readonly #workspaceId: string;
  readonly #deltas = new Map<Total, { delta: number; limit: number }>();
  readonly #places = new Map<number, { documents: number; folders: number }>();
  readonly #events: Pending[] = [];
  written = false;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  /** Adds to a total. Growth beyond the limit refuses the whole transaction. */
  count(total: Total, delta: number, limit = Number.MAX_SAFE_INTEGER): void {
    const sum = (this.#deltas.get(total)?.delta ?? 0) + delta;
    this.#deltas.set(total, { delta: sum, limit });
  }

  /** Adds to a knowledge base's own totals; 404 if it has gone meanwhile. */
  countIn(knowledgeBaseId: number, { documents = 0, folders = 0 }: { documents?: number; folders?: number }): void {
    const known = this.#places.get(knowledgeBaseId) ?? { documents: 0, folders: 0 };
    this.#places.set(knowledgeBaseId, { documents: known.documents + documents, folders: known.folders + folders });
  }

  /** The knowledge base is gone: its own totals with it. */
  forget(knowledgeBaseId: number): void {
    this.#places.delete(knowledgeBaseId);
  }

  event(type: EventType, document: DocumentRow, actor: Actor): void {
    this.#events.push({ type, document, actor });
  }

  async write(tx: Db): Promise<void> {
    this.written = true;
    for (const place of [...this.#places].sort(([a], [b]) => a - b)) await this.#updatePlace(tx, ...place);
    if (this.#deltas.size === 0 && this.#events.length === 0) return;
    const counters = await this.#advance(tx);
    for (const [total, { delta, limit }] of this.#deltas)
      if (delta > 0 && counters[total] > limit)
        throw apiError("quota_exceeded", { quota: total, limit, used: counters[total] - delta });
    await this.#insertEvents(tx, counters.last_event_id - this.#events.length);
  }

  async #updatePlace(
    tx: Db,
    id: number,
    { documents, folders }: { documents: number; folders: number },
  ): Promise<void> {
    const [row] = await addInPlace(tx, { workspaceId: this.#workspaceId, id, documents, folders });
    if (!row) throw notFound("knowledge_base", id);
  }

  async #advance(tx: Db): Promise<Counters> {
    const deltaOf = (total: Total) => this.#deltas.get(total)?.delta ?? 0;
    const [counters] = await addTotals(tx, {
      workspaceId: this.#workspaceId,
      events: this.#events.length,
      knowledge_bases: deltaOf("knowledge_bases"),
      folders: deltaOf("folders"),
      documents: deltaOf("documents"),
      attachment_bytes: deltaOf("attachment_bytes"),
    });
    if (!counters) throw new Error(`Workspace ${this.#workspaceId} has no counters.`);
    return counters;
  }

  async #insertEvents(tx: Db, lastId: number): Promise<void> {
    const createdAt = Date.now();
    const rows = this.#events.map((event, index) => this.#row(event, lastId + index + 1, createdAt));
    if (rows.length === 1) await runWithEnd(tx, insertEvent.ready(tx, rows[0]!));
    else for (const some of batchesOf(rows)) await tx.insertInto("events").values(some).execute();
    if (rows.length > 0) announce(tx, topicOf(this.#workspaceId));
  }

  #row({ type, document, actor }: Pending, id: number, createdAt: number) {
    const data = {
      event_id: id,
      type,
      workspace_id: this.#workspaceId,
      document_id: document.id,
      created_at: new Date(createdAt).toISOString(),
      document: {
        title: document.title,
        knowledge_base_id: document.knowledge_base_id,
        folder_id: document.folder_id,
        document_type: document.document_type,
        version: document.version,
        updated_at: document.updated_at,
        document_set_id: document.document_set_id,
        locale: document.locale,
      },
      actor: { user_id: actor.userId, token_id: actor.tokenId, client: actor.client.name },
    };
    return {
      workspace_id: this.#workspaceId,
      id,
      type,
      document_id: document.id,
      document_set_id: document.document_set_id,
      locale: document.locale,
      created_at: createdAt,
      data: JSON.stringify(data),
    };
  }
}
