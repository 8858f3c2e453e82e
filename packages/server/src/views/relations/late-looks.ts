import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { statement } from "../../db/statement/statement.ts";
import { AFTER_EVENTS_RANK, type LastStep } from "../../db/transaction/last-steps.ts";
import { insertJobIf, type LateJob, lateJob } from "../../jobs/late-job.ts";
import { BY_NAME } from "../../resources/links-by-name/read-pages.ts";
import { unknownPage } from "../../resources/relations/target.ts";
import { MOST_NAMES, type Names, RESOLVE_LATE } from "./request-resolving.ts";

/**
 * Links by name, and pages that come or go in the same instant in transactions that do not see each other, are brought
 * together by a job. Each transaction looks again when it holds the counters of the workspace: the later one sees what
 * the other has done.
 */
class LateLooks implements LastStep {
  readonly rank = AFTER_EVENTS_RANK;
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #looks: (() => Promise<void>)[] = [];

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }

  add(look: () => Promise<void>): void {
    this.#looks.push(look);
  }

  join(later: LastStep): boolean {
    if (later instanceof LateLooks) this.#looks.push(...later.#looks);
    return later instanceof LateLooks;
  }

  async write(): Promise<void> {
    for (const look of this.#looks) await look();
  }
}

function later(tx: Tx, workspaceId: string, look: () => Promise<void>): void {
  if (tx.statements.dialect.hasOneWriter) return;
  tx.lastStep(AFTER_EVENTS_RANK, workspaceId, () => new LateLooks(workspaceId)).add(look);
}

const jobFor = (workspaceId: string, names: Names): LateJob => lateJob(workspaceId, RESOLVE_LATE, names);

interface FoundPages extends LateJob {
  readonly knowledgeBaseId: number;
  readonly keys: readonly string[];
  readonly found: number;
}

const ifOtherPages = statement<FoundPages, unknown>(
  (db, value) =>
    insertJobIf(
      db,
      value,
      sql`${db
        .selectFrom("documents")
        .select((eb) => eb.fn.countAll().as("count"))
        .where("workspace_id", "=", value("workspaceId"))
        .where("knowledge_base_id", "=", value("knowledgeBaseId"))
        .where("title_key", "in", value("keys"))} <> ${value("found")}`,
    ),
  { list: "keys" },
);

/** Whether there are as many pages of these titles as were found for the links of a document. */
export function lookForPages(
  tx: Tx,
  document: DocumentRow,
  keys: readonly string[],
  pages: readonly { title_key: string }[],
) {
  const { workspace_id: workspaceId, knowledge_base_id: knowledgeBaseId, id } = document;
  for (const some of batchesOf(keys, MOST_NAMES)) {
    const wanted = new Set(some);
    const found = pages.filter(({ title_key }) => wanted.has(title_key)).length;
    const job = jobFor(workspaceId, { knowledge_base_id: knowledgeBaseId, keys: some, document_id: id });
    later(tx, workspaceId, () => ifOtherPages.enqueue(tx, { ...job, knowledgeBaseId, keys: some, found }));
  }
}

const ifLinksWait = statement<LateJob & { readonly unknown: string }, unknown>((db, value) =>
  insertJobIf(
    db,
    value,
    sql`exists ${db
      .selectFrom("inline_relations")
      .select("id")
      .where("workspace_id", "=", value("workspaceId"))
      .where("target_document_id", "=", value("unknown"))}`,
  ),
);

/** Whether links still wait for a page of this title. */
export function lookForWaiting(tx: Tx, { workspace_id, knowledge_base_id, title, title_key }: DocumentRow): void {
  const job = jobFor(workspace_id, { knowledge_base_id, keys: [title_key] });
  const unknown = unknownPage(knowledge_base_id, title);
  later(tx, workspace_id, () => ifLinksWait.enqueue(tx, { ...job, unknown }));
}

const ifLinksLead = statement<LateJob & { readonly ids: readonly string[] }, unknown>(
  (db, value) =>
    insertJobIf(
      db,
      value,
      sql`exists ${db
        .selectFrom("inline_relations")
        .select("id")
        .where("workspace_id", "=", value("workspaceId"))
        .where("via", "=", BY_NAME)
        .where("target_document_id", "in", value("ids"))}`,
    ),
  { list: "ids" },
);

/** Whether links by name still lead to documents that go. */
export function lookForLeading(tx: Tx, workspaceId: string, ids: readonly string[]): void {
  for (const gone of batchesOf(ids, MOST_NAMES)) {
    const job = jobFor(workspaceId, { gone });
    later(tx, workspaceId, () => ifLinksLead.enqueue(tx, { ...job, ids: gone }));
  }
}
