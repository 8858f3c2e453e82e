import { StoredBody } from "../../bodies/body.ts";
import { loadSegments, lockBody } from "../../bodies/load-body.ts";
import { manifestOf } from "../../bodies/manifest.ts";
import type { Tx } from "../../db/database.ts";
import type { DocumentRow } from "../../db/schema/tables/documents.ts";
import { batchesOf } from "../../db/statement/batches.ts";
import type { LastStep } from "../../db/transaction/last-steps.ts";
import { yieldToWriters } from "../../db/transaction/yield-to-writers.ts";
import { newId } from "../../ids.ts";
import type { BodyDelta } from "../../services/body-views.ts";
import { matchLinks } from "./match-links.ts";
import { findNamed } from "./named-pages.ts";
import { deleteLinks, insertLinks, type LinkRow, listLinks, listLinksIn, setView, updateLink } from "./store.ts";
import { type WantedLink, wantedLinks } from "./wanted-links.ts";

/**
 * Most edits leave the links as they are. This checks before the commit whether the view was at the previous version,
 * so that no edit waits for the answer, and rebuilds the view if it was not.
 */
export class ViewCheck implements LastStep {
  readonly name = "relations";
  readonly mayRefuse = false;
  readonly workspaceId: string;
  readonly #tx: Tx;
  readonly #checks: { readonly document: DocumentRow; readonly moved: () => Promise<readonly unknown[]> }[];

  constructor(tx: Tx, document: DocumentRow, moved: () => Promise<readonly unknown[]>) {
    this.workspaceId = document.workspace_id;
    this.#tx = tx;
    this.#checks = [{ document, moved }];
  }

  join(later: LastStep): boolean {
    if (later instanceof ViewCheck) this.#checks.push(...later.#checks);
    return later instanceof ViewCheck;
  }

  async write(): Promise<void> {
    const found = await Promise.all(this.#checks.map(({ moved }) => moved()));
    for (const [i, { document }] of this.#checks.entries())
      if (found[i]!.length === 0) await rebuild(this.#tx, document);
  }
}

/**
 * Computes a document's links again from its body, which stays locked meanwhile. Stored links keep their rows; lost
 * ones are attributed to the document's creator.
 */
export async function rebuild(tx: Tx, document: DocumentRow): Promise<void> {
  const key = { workspaceId: document.workspace_id, documentId: document.id };
  const row = await lockBody(tx, key);
  const body = new StoredBody(row, await loadSegments(tx, key, manifestOf(row)));
  const stored = await listLinks(tx, key.workspaceId, key.documentId);
  await reconcile(tx, stored, wantedLinks(body.blocks, document.knowledge_base_id), {
    document,
    createdBy: document.created_by,
  });
  await setView(tx, key.workspaceId, key.documentId, body.version);
}

/** The columns of new links that the body does not determine. */
interface Origin {
  readonly document: DocumentRow;
  readonly createdBy: string;
}

/** The links of the changed blocks, before and after. */
interface ChangedLinks {
  readonly had: readonly WantedLink[];
  readonly wanted: readonly WantedLink[];
}

export function changedLinks({ document, before, after, changes }: BodyDelta): ChangedLinks {
  const changed = changes.filter(({ change_type }) => change_type !== "moved");
  const old = changed.flatMap(({ old_position: at }) => (at === null ? [] : before[at]!));
  const current = changed.flatMap(({ new_position: at }) => (at === null ? [] : after[at]!));
  const base = document.knowledge_base_id;
  return { had: wantedLinks(old, base), wanted: wantedLinks(current, base) };
}

export const isSame = ({ had, wanted }: ChangedLinks): boolean =>
  had.length === wanted.length && JSON.stringify(had) === JSON.stringify(wanted);

export async function updateChanged(tx: Tx, { had, wanted }: ChangedLinks, origin: Origin): Promise<void> {
  const { workspace_id, id } = origin.document;
  const topIds = [...new Set(had.map((link) => link.top_block_id))];
  await reconcile(tx, await listLinksIn(tx, workspace_id, id, topIds), wanted, origin);
}

export async function reconcile(
  tx: Tx,
  stored: readonly LinkRow[],
  wanted: readonly WantedLink[],
  { document, createdBy }: Origin,
): Promise<void> {
  const { added, updated, removed } = matchLinks(stored, wanted);
  const now = Date.now();
  const { workspace_id } = document;
  const removedIds = removed.map((row) => row.id);
  await inSteps(removedIds, (ids) => deleteLinks(tx, workspace_id, ids));
  await inSteps(updated, async (rows) => {
    for (const row of rows) await updateLink(tx, row);
  });
  const named = await findNamed(tx, document, added);
  const rowOf = (link: WantedLink): LinkRow => ({
    ...link,
    workspace_id,
    id: newId("rel"),
    document_id: document.id,
    created_by: createdBy,
    created_at: now,
  });
  await inSteps(named, (links) => insertLinks(tx, links.map(rowOf)));
}

/** Lets other work run between the parts of a long list: a body may have tens of thousands of links. */
async function inSteps<T>(items: readonly T[], work: (some: readonly T[]) => Promise<void>): Promise<void> {
  let isFirst = true;
  for (const some of batchesOf(items)) {
    if (!isFirst) await yieldToWriters();
    isFirst = false;
    await work(some);
  }
}
