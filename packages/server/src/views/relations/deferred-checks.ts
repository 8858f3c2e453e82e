import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import { statement } from "../../db/statement/statement.ts";
import type { LastStep } from "../../db/transaction/last-steps.ts";
import { unknownPage } from "../../domain/knowledge/relations/target.ts";
import { BY_NAME } from "../../domain/library/links-by-name/read-pages.ts";
import { insertJobIf, type LateJob, lateJob } from "../../jobs/late-job.ts";
import { MAX_NAMES, type Names, RESOLVE_LATE } from "./request-resolving.ts";

/**
 * Transactions that run at the same time do not see each other, so one may add a link by name while another adds or
 * deletes its page. Each transaction checks again while it holds the counters of the workspace: the later one sees the
 * changes of the other and adds a job that resolves the links.
 */
class DeferredChecks implements LastStep {
  readonly name = "after-events";
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #checks: (() => Promise<void>)[] = [];

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }

  add(check: () => Promise<void>): void {
    this.#checks.push(check);
  }

  join(later: LastStep): boolean {
    if (later instanceof DeferredChecks) this.#checks.push(...later.#checks);
    return later instanceof DeferredChecks;
  }

  async write(): Promise<void> {
    for (const check of this.#checks) await check();
  }
}

function deferCheck(tx: Tx, workspaceId: string, check: () => Promise<void>): void {
  if (tx.statements.dialect.hasOneWriter) return;
  tx.lastStep("after-events", workspaceId, () => new DeferredChecks(workspaceId)).add(check);
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

/** Checks that there are still as many pages with these titles as were found for the links of a document. */
export function checkFoundPages(
  tx: Tx,
  document: DocumentRow,
  keys: readonly string[],
  pages: readonly { title_key: string }[],
) {
  const { workspace_id: workspaceId, knowledge_base_id: knowledgeBaseId, id } = document;
  for (const some of batchesOf(keys, MAX_NAMES)) {
    const wanted = new Set(some);
    const found = pages.filter(({ title_key }) => wanted.has(title_key)).length;
    const job = jobFor(workspaceId, { knowledge_base_id: knowledgeBaseId, keys: some, document_id: id });
    deferCheck(tx, workspaceId, () => ifOtherPages.enqueue(tx, { ...job, knowledgeBaseId, keys: some, found }));
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

/** Checks whether links still wait for a page with this title. */
export function checkWaitingLinks(tx: Tx, { workspace_id, knowledge_base_id, title, title_key }: DocumentRow): void {
  const job = jobFor(workspace_id, { knowledge_base_id, keys: [title_key] });
  const unknown = unknownPage(knowledge_base_id, title);
  deferCheck(tx, workspace_id, () => ifLinksWait.enqueue(tx, { ...job, unknown }));
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

/** Checks whether links by name still lead to deleted documents. */
export function checkLinksToDeleted(tx: Tx, workspaceId: string, ids: readonly string[]): void {
  for (const gone of batchesOf(ids, MAX_NAMES)) {
    const job = jobFor(workspaceId, { gone });
    deferCheck(tx, workspaceId, () => ifLinksLead.enqueue(tx, { ...job, ids: gone }));
  }
}
