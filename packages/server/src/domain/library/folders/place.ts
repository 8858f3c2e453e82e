import { defined } from "@svc/document/defined";
import { TransactionOutdated, type Tx } from "../../../db/database.ts";
import type { LockMode } from "../../../db/transaction/lock-order.ts";
import { invalidRequest, notFound } from "../../../errors.ts";
import { keepKnowledgeBases } from "../knowledge-bases/queries.ts";
import { getFolder } from "./queries.ts";

export interface Place {
  readonly knowledgeBaseId: number;
  readonly folderId: number | null;
}

/** The location in a request; omitted fields are undefined. */
interface WantedPlace {
  readonly knowledgeBaseId?: number | undefined;
  readonly folderId?: number | null | undefined;
  /** Whether the order in the location changes too: then the location is locked for a change. */
  readonly isOrdered?: boolean;
}

/**
 * Resolves the target location. A folder determines the knowledge base; a knowledge base alone means its top level.
 * Locks the location, and the previous knowledge base, until the end of the transaction.
 */
export async function resolvePlace(tx: Tx, workspaceId: string, wanted: WantedPlace, current?: Place): Promise<Place> {
  const from = current ? [current.knowledgeBaseId] : [];
  const mode = wanted.isOrdered ? "change" : "keep";
  if (wanted.folderId) {
    const base = wanted.knowledgeBaseId ?? (await getFolder(tx, workspaceId, wanted.folderId)).knowledge_base_id;
    const isGiven = wanted.knowledgeBaseId !== undefined;
    return keepFolder(tx, workspaceId, wanted.folderId, base, from, { isGiven, mode });
  }
  const knowledgeBaseId = wanted.knowledgeBaseId ?? defined(current).knowledgeBaseId;
  await keepKnowledgeBases(tx, workspaceId, [...from, knowledgeBaseId], mode);
  const stays = wanted.folderId === undefined && knowledgeBaseId === current?.knowledgeBaseId;
  return { knowledgeBaseId, folderId: stays ? current.folderId : null };
}

/** Sends both queries at once, if the database supports it. */
async function keepFolder(
  tx: Tx,
  workspaceId: string,
  folderId: number,
  knowledgeBaseId: number,
  from: readonly number[],
  { isGiven, mode }: { readonly isGiven: boolean; readonly mode: LockMode },
): Promise<Place> {
  const [base, kept] = await Promise.allSettled([
    keepKnowledgeBases(tx, workspaceId, [...from, knowledgeBaseId]),
    tx.lock("folder", workspaceId, folderId, mode),
  ]);
  if (base.status === "rejected") throw base.reason;
  if (kept.status === "rejected") throw kept.reason;
  const folder = kept.value;
  if (!folder) throw notFound("folder", folderId);
  if (folder.knowledge_base_id !== knowledgeBaseId) {
    if (!isGiven) throw new TransactionOutdated();
    throw invalidRequest("body.knowledge_base_id", "is not the knowledge base of that folder");
  }
  return { knowledgeBaseId, folderId };
}
