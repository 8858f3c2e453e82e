import { defined } from "@svc/document/defined";
import type { Selectable } from "kysely";
import type { Tables } from "../schema/tables.ts";

/**
 * What can be locked, in the order in which a transaction takes its locks. Transactions that keep to one order never
 * wait for each other in a circle. Counter rows come last: they are taken by the last steps (last-steps.ts).
 */
export const LOCK_KINDS = {
  /** The structure of a workspace: moves and deletions of folders, and changes of the graph of concepts. */
  workspace: { rank: 0, table: "workspaces", key: "id", columns: undefined },
  knowledge_base: { rank: 1, table: "knowledge_bases", key: "id", columns: undefined },
  folder: { rank: 2, table: "folders", key: "id", columns: undefined },
  /** Without the manifest, which is long and mostly cached. */
  body: {
    rank: 3,
    table: "bodies",
    key: "document_id",
    columns: ["document_id", "version", "revision", "live_revisions", "document_type"],
  },
  live_document: { rank: 4, table: "live_documents", key: "document_id", columns: undefined },
  document: { rank: 5, table: "documents", key: "id", columns: undefined },
  translation_state: { rank: 6, table: "translation_states", key: "document_id", columns: undefined },
  concept_candidate: { rank: 7, table: "concept_candidates", key: "id", columns: undefined },
  concept: { rank: 8, table: "concepts", key: "id", columns: undefined },
  webhook: { rank: 9, table: "webhooks", key: "id", columns: undefined },
  /** Of no workspace, like the next two. */
  user: { rank: 9.5, table: "users", key: "id", columns: undefined },
  token: { rank: 10, table: "tokens", key: "id", columns: undefined },
  device_code: { rank: 11, table: "device_codes", key: "device_code_hash", columns: undefined },
  search_counters: { rank: 12, table: "search_counters", key: "workspace_id", columns: undefined },
} as const;

/** Kinds whose rows are not of a workspace: their key says all. */
export const OF_NO_WORKSPACE: ReadonlySet<LockKind> = new Set(["workspace", "user", "token", "device_code"]);

export type LockKind = keyof typeof LOCK_KINDS;

/** The row as it is once it is locked. */
export type LockedRow<Kind extends LockKind> = Kind extends "body"
  ? Pick<Selectable<Tables["bodies"]>, "document_id" | "version" | "revision" | "live_revisions" | "document_type">
  : Selectable<Tables[(typeof LOCK_KINDS)[Kind]["table"]]>;

export type LockId<Kind extends LockKind> = Kind extends "knowledge_base" | "folder" ? number : string;

/**
 * `keep`: the row stays, and its key; any number of transactions may keep a row at once. `change`: one at a time.
 * `delete`: one at a time, and nobody keeps it.
 */
export type LockMode = "keep" | "change" | "delete";

const STRENGTH: Record<LockMode, number> = { keep: 1, change: 2, delete: 3 };

/** A mistake of ours: a transaction that asks for locks in this way could wait for another in a circle. */
export class LockOrderError extends Error {
  constructor(problem: string) {
    super(`Locks are out of order: ${problem}.`);
    this.name = "LockOrderError";
  }
}

/** What one commit has locked and expects: one transaction, or all that share the commit. */
export class CommitState {
  /** The strength of each lock by kind and id. */
  readonly held = new Map<string, number>();
  /** Whether counters are locked already: waiting for another lock now could cause a deadlock. */
  hasCounters = false;
  readonly #retriedNulls: { readonly table: string; readonly column: string }[] = [];

  retryOnNull(table: string, column: string): void {
    this.#retriedNulls.push({ table, column });
  }

  /** Whether a failure is one that a transaction of this commit asked to be run again for. */
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
  /** The document that a transaction of a shared commit changes: others of its group wait for it in the same order. */
  #ownDocument: Id | undefined;

  constructor(commit: CommitState, isShared: boolean) {
    this.#commit = commit;
    this.#isShared = isShared;
  }

  /**
   * Notes locks of one kind that are about to be taken, ids in ascending order. Says whether the database may wait for
   * them; where it may not, any order is safe, and a lock that is not free makes the transaction run again by itself.
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
    if (kind !== "body" && kind !== "document") return false;
    this.#ownDocument ??= ids[0];
    return ids.length === 1 && ids[0] === this.#ownDocument;
  }

  #advance(kind: LockKind, ids: readonly Id[], mode: LockMode): void {
    const { rank } = LOCK_KINDS[kind];
    const hasStructure = this.#rank >= 0 && this.#holdsStructure;
    // Folders and concepts are deleted, moved and merged under the lock of the structure alone.
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
