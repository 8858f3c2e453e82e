import { defined } from "@svc/document/defined";
import type { Selectable } from "kysely";
import type { Tables } from "../schema/tables.ts";

/**
 * The kinds of locks in the order in which a transaction takes them: the index is the rank. Transactions that keep to
 * one order never wait for each other in a circle. The counter rows come last: the last steps take them (last-steps.ts).
 */
const LOCK_ORDER = [
  /** The structure of a workspace: moves and deletions of folders, and changes to the graph of concepts. */
  "workspace",
  "knowledge_base",
  "folder",
  "body",
  "live_document",
  "document",
  "translation_state",
  "concept_candidate",
  "concept",
  "webhook",
  "user",
  "token",
  "device_code",
  "search_counters",
] as const;

export type LockKind = (typeof LOCK_ORDER)[number];

/** The table, the key and the columns that a lock reads; all columns where none are listed. */
export const LOCK_TABLES = {
  workspace: { table: "workspaces", key: "id", columns: undefined },
  knowledge_base: { table: "knowledge_bases", key: "id", columns: undefined },
  folder: { table: "folders", key: "id", columns: undefined },
  /** Without the manifest, which is long and usually cached. */
  body: {
    table: "bodies",
    key: "document_id",
    columns: ["document_id", "version", "revision", "live_revisions", "document_type"],
  },
  live_document: { table: "live_documents", key: "document_id", columns: undefined },
  document: { table: "documents", key: "id", columns: undefined },
  translation_state: { table: "translation_states", key: "document_id", columns: undefined },
  concept_candidate: { table: "concept_candidates", key: "id", columns: undefined },
  concept: { table: "concepts", key: "id", columns: undefined },
  webhook: { table: "webhooks", key: "id", columns: undefined },
  user: { table: "users", key: "id", columns: undefined },
  token: { table: "tokens", key: "id", columns: undefined },
  device_code: { table: "device_codes", key: "device_code_hash", columns: undefined },
  search_counters: { table: "search_counters", key: "workspace_id", columns: undefined },
} as const satisfies Record<LockKind, { table: keyof Tables; key: string; columns: readonly string[] | undefined }>;

/** Kinds whose rows belong to no workspace: the key alone identifies them. */
export const WITHOUT_WORKSPACE: ReadonlySet<LockKind> = new Set(["workspace", "user", "token", "device_code"]);

/** The row as read under the lock. */
export type LockedRow<Kind extends LockKind> = Kind extends "body"
  ? Pick<Selectable<Tables["bodies"]>, "document_id" | "version" | "revision" | "live_revisions" | "document_type">
  : Selectable<Tables[(typeof LOCK_TABLES)[Kind]["table"]]>;

export type LockId<Kind extends LockKind> = Kind extends "knowledge_base" | "folder" ? number : string;

/**
 * `keep`: the row and its key stay; any number of transactions may keep a row at once. `change`: one transaction at a
 * time. `delete`: one at a time, and no other may keep the row.
 */
export type LockMode = "keep" | "change" | "delete";

const STRENGTH: Record<LockMode, number> = { keep: 1, change: 2, delete: 3 };

/** A bug in the server: transactions that take locks in this order could wait for each other in a circle. */
export class LockOrderError extends Error {
  constructor(problem: string) {
    super(`Locks are out of order: ${problem}.`);
    this.name = "LockOrderError";
  }
}

/** The locks and expectations of one commit, which one transaction or several share. */
export class CommitState {
  /** The strength of each lock by kind and id. */
  readonly held = new Map<string, number>();
  /** Whether counters are locked already: waiting for another lock now could cause a deadlock. */
  hasCounters = false;
  readonly #retriedNulls: { readonly table: string; readonly column: string }[] = [];

  retryIfNull(table: string, column: string): void {
    this.#retriedNulls.push({ table, column });
  }

  /** Whether a transaction of this commit asked for a retry after this failure. */
  isRetriedNull(violated: { readonly table?: unknown; readonly column?: unknown }): boolean {
    return this.#retriedNulls.some(({ table, column }) => table === violated.table && column === violated.column);
  }
}

type Id = string | number;
const nameOf = (kind: LockKind, id: Id): string => `${kind} ${id}`;

/** Checks the locks of one transaction before they are taken. */
export class LockOrder {
  readonly #commit: CommitState;
  readonly #isShared: boolean;
  #rank = -1;
  #id: Id | undefined;
  /** The document that a transaction in a shared commit changes. Others in its group wait for it in the same order. */
  #ownDocument: Id | undefined;

  constructor(commit: CommitState, isShared: boolean) {
    this.#commit = commit;
    this.#isShared = isShared;
  }

  /**
   * Records locks of one kind that are about to be taken, ids in ascending order. Returns whether the database may wait
   * for them. Where it may not, any order is safe: a lock that is not free makes the transaction run again alone.
   */
  take(kind: LockKind, ids: readonly Id[], mode: LockMode): { readonly mayWait: boolean } {
    const isNew = (id: Id) => (this.#commit.held.get(nameOf(kind, id)) ?? 0) < STRENGTH[mode];
    const fresh = ids.filter(isNew);
    if (fresh.length === 0) return { mayWait: true };
    const mayWait = this.#mayWait(kind, fresh, mode);
    if (mayWait) this.#advance(kind, fresh, mode);
    for (const id of fresh) this.#commit.held.set(nameOf(kind, id), STRENGTH[mode]);
    return { mayWait };
  }

  #mayWait(kind: LockKind, ids: readonly Id[], mode: LockMode): boolean {
    if (!this.#isShared) return true;
    if (kind === "workspace" || mode === "delete")
      throw new LockOrderError(`${mode} ${nameOf(kind, defined(ids[0]))} in a shared commit`);
    if (this.#commit.hasCounters) return false;
    if (kind === "search_counters") return true;
    if (kind !== "body" && kind !== "live_document" && kind !== "document") return false;
    this.#ownDocument ??= ids[0];
    return ids.length === 1 && ids[0] === this.#ownDocument;
  }

  #advance(kind: LockKind, ids: readonly Id[], mode: LockMode): void {
    const rank = LOCK_ORDER.indexOf(kind);
    const hasStructure = this.#rank >= 0 && this.#holdsStructure;
    // The lock on the structure is enough to delete, move and merge folders and concepts.
    if (hasStructure && ((kind === "folder" && mode === "keep") || (rank === this.#rank && isStructured(kind)))) return;
    const first = defined(ids[0]);
    const isUpgrade = mode === "delete" && ids.some((id) => this.#commit.held.has(nameOf(kind, id)));
    const isBefore = rank < this.#rank || (rank === this.#rank && this.#id !== undefined && first < this.#id);
    if (isUpgrade || isBefore)
      throw new LockOrderError(`${mode} ${nameOf(kind, first)} after rank ${this.#rank} ${this.#id}`);
    if (kind === "workspace") this.#holdsStructure = true;
    this.#rank = rank;
    this.#id = ids.at(-1);
  }

  #holdsStructure = false;
}

const isStructured = (kind: LockKind): boolean => kind === "folder" || kind === "concept";
