import { defined } from "@svc/document/defined";
import { listHeadings } from "@svc/document/read/headings";
import { sectionEnds } from "@svc/document/read/outline";
import type { StoredBody } from "../../../bodies/body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import type { Reader } from "../../../db/database.ts";
import { invalidRequest, notFound } from "../../../errors.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { getFolder } from "../../library/folders/queries.ts";
import { listSubtree } from "../../library/folders/subtree.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { listSourceDocuments, type SourceDocument } from "./queries.ts";
import type { TargetKey } from "./target-key.ts";
import { groupVersion } from "./versions.ts";

/** The subject of a summary, as it is now. */
export type Target = DocumentTarget | GroupTarget;

export interface DocumentTarget {
  readonly kind: "document";
  readonly key: TargetKey;
  readonly title: string;
  readonly sourceVersion: string;
  readonly updatedAt: number;
  readonly body: StoredBody;
  /** Indexes of the top-level blocks that it covers, excluding the end. */
  readonly range: readonly [start: number, end: number];
}

export interface GroupTarget {
  readonly kind: "group";
  readonly key: TargetKey;
  readonly title: string;
  readonly sourceVersion: string;
  readonly updatedAt: number;
  readonly folderCount: number;
  readonly documents: readonly SourceDocument[];
}

export async function loadTarget(db: Reader, key: TargetKey): Promise<Target> {
  if (key.scope === "document" || key.scope === "section") return loadDocument(db, key);
  return key.scope === "folder" ? loadFolder(db, key) : loadKnowledgeBase(db, key);
}

async function loadDocument(db: Reader, key: TargetKey): Promise<DocumentTarget> {
  const document = await getDocument(db, key.workspaceId, key.targetId);
  const body = await readBody(db, { workspaceId: key.workspaceId, documentId: key.targetId });
  const section = key.scope === "section" ? sectionOf(body, key.blockId) : undefined;
  return {
    kind: "document",
    key,
    title: section?.title ?? document.title,
    sourceVersion: body.version,
    updatedAt: document.updated_at,
    body,
    range: section?.range ?? [0, body.blocks.length],
  };
}

function sectionOf(body: StoredBody, headingId: string): { title: string; range: [number, number] } {
  const headings = listHeadings(body.blocks);
  const index = headings.findIndex((heading) => heading.block_id === headingId && !heading.nested);
  const heading = headings[index];
  if (heading)
    return {
      title: heading.text,
      range: [heading.position, defined(sectionEnds(headings, body.blocks.length)[index])],
    };
  if (body.positionOf(headingId) === undefined) throw notFound("block", headingId);
  throw invalidRequest("query.block_id", "must be a top-level heading");
}

async function loadFolder(db: Reader, key: TargetKey): Promise<GroupTarget> {
  const folder = await getFolder(db, key.workspaceId, Number(key.targetId));
  const subtree = await listSubtree(db, folder);
  const documents = await listSourceDocuments(db, key.workspaceId, { folderIds: subtree.map(({ id }) => id) });
  return group(key, folder.name, folder.updated_at, subtree.length - 1, documents);
}

async function loadKnowledgeBase(db: Reader, key: TargetKey): Promise<GroupTarget> {
  const knowledgeBase = await getKnowledgeBase(db, key.workspaceId, Number(key.targetId));
  const documents = await listSourceDocuments(db, key.workspaceId, { knowledgeBaseId: knowledgeBase.id });
  return group(key, knowledgeBase.name, knowledgeBase.updated_at, knowledgeBase.folder_count, documents);
}

const group = (
  key: TargetKey,
  title: string,
  updatedAt: number,
  folderCount: number,
  documents: readonly SourceDocument[],
): GroupTarget => ({
  kind: "group",
  key,
  title,
  sourceVersion: groupVersion(documents),
  updatedAt: documents.reduce((latest, document) => Math.max(latest, document.updated_at), updatedAt),
  folderCount,
  documents,
});
