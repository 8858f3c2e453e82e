import { defined } from "@svc/document/defined";
import { mapShared } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import type { Tx } from "../../../db/database.ts";
import { ledgerOf } from "../../../events/ledger.ts";
import { newId } from "../../../ids.ts";
import type { Services } from "../../../services.ts";
import { checkRowQuota } from "../../library/quotas/row-quota.ts";
import { insertAttachments, listAttachments } from "./queries.ts";
import { referencesOf, shownBy } from "./references.ts";

/** Replaces attachment ids in blocks; ids that are not in `ids` stay. */
function renameAttachments(blocks: readonly Node[], ids: ReadonlyMap<string, string>): readonly Node[] {
  return mapShared(blocks, (node) => {
    const next = ids.get(shownBy(node) ?? "");
    const content = node.content && renameAttachments(node.content, ids);
    if (next === undefined) return content === node.content ? node : { ...node, content: defined(content) };
    return { ...node, attrs: { ...node.attrs, attachmentId: next, src: `/api/v1/attachments/${next}` } };
  });
}

interface Copying {
  readonly workspaceId: string;
  readonly from: string;
  readonly to: string;
  readonly blocks: readonly Node[];
  /** Also copy files that the blocks do not show. */
  readonly all?: boolean;
}

interface Copied {
  readonly blocks: readonly Node[];
  /** Id of each attachment → id of its copy. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Gives a document copies of the attachments shown in blocks from another document, and returns the blocks with the new
 * ids. A copy shares the file and counts against the quota like any other.
 */
export async function copyAttachments(
  app: Pick<Services, "config">,
  tx: Tx,
  { workspaceId, from, to, blocks, all = false }: Copying,
): Promise<Copied> {
  const wanted = new Set(referencesOf(blocks).map((reference) => reference.attachmentId));
  const none = { blocks, ids: new Map<string, string>() };
  if (wanted.size === 0 && !all) return none;
  const rows = (await listAttachments(tx, workspaceId, from)).filter((row) => all || wanted.has(row.id));
  if (rows.length === 0) return none;
  const ids = new Map(rows.map((row) => [row.id, newId("att")]));
  const copies = rows.map((row) => ({ ...row, id: defined(ids.get(row.id)), document_id: to, created_at: Date.now() }));
  await checkRowQuota(tx, app.config, "attachments", workspaceId, to, copies.length);
  await insertAttachments(tx, copies);
  const bytes = copies.reduce((sum, row) => sum + row.size, 0);
  ledgerOf(tx, workspaceId).count("attachment_bytes", bytes, app.config.maxStorageBytes);
  return { blocks: renameAttachments(blocks, ids), ids };
}
