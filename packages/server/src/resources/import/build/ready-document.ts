import { createHash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { replaceDestinations } from "@svc/document/markdown/destinations";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { sameButIds } from "@svc/document/markdown/reconcile";
import { serialiseBody } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";
import { lowestBlocks } from "@svc/search/text/searchable";
import { type NewBody, newBody } from "../../../bodies/new-body.ts";
import type { AttachmentRow } from "../../../db/schema/tables/documents.ts";
import { BlobTooLarge } from "../../../ports/blobs/blob-store.ts";
import type { Services } from "../../../services.ts";
import { storeFile } from "../../attachments/store-file.ts";
import { mapDiscussion } from "../map-discussion.ts";
import { type IdMap, mapIds, mappedHref } from "../mapped-ids.ts";
import type { Archive } from "../open-archive.ts";
import type { LinkCounts, LoadedBody, PlannedDocument, PlannedFile } from "../plan.ts";
import type { PlannedDiscussion } from "../read-discussion.ts";
import type { PlannedSummary } from "../read-summaries.ts";
import { ImportRefused } from "../refused.ts";
import type { Building, DocumentLine } from "./building.ts";

/** A document that is read and has all its ids: what is left is to store it. Plain values, but for the body's segments. */
export interface ReadyDocument {
  readonly id: string;
  readonly planned: DocumentLine;
  readonly title: string;
  readonly body: NewBody;
  readonly frontMatter: string | undefined;
  readonly attachments: readonly AttachmentRow[];
  readonly discussion: PlannedDiscussion | undefined;
  readonly summaries: readonly PlannedSummary[];
}

/** What becomes known of a document by reading it, beside the document. */
export interface ReadDocument {
  readonly document: ReadyDocument;
  /** Blocks that are indexed. */
  readonly blocks: number;
  readonly links: LinkCounts;
  /** Paths of the files that became its attachments. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** What documents are read with. */
export interface ReadingTools {
  readonly app: Services;
  readonly archive: Archive;
  readonly building: Building;
  /** Files that are stored, and that no row names yet. */
  readonly loose: Set<string>;
}

const NO_LINKS: LinkCounts = { resolved: 0, unresolved: 0 };

/** Reads a document and stores its files. */
export async function readDocument(tools: ReadingTools, { load, ...planned }: PlannedDocument): Promise<ReadDocument> {
  const { app, building } = tools;
  const id = defined(building.documentIds.get(planned.key));
  const loaded = await load();
  const { files, title, frontMatter, discussion, summaries = [], links = NO_LINKS, warnings = [] } = loaded;
  const attachments: AttachmentRow[] = [];
  for (const file of files) attachments.push(await keepFile(tools, id, file));
  const attachmentIds = new Map(files.map(({ key }, i) => [key, defined(attachments[i]).id]));
  const map = {
    seed: building.seed,
    documentKey: planned.key,
    documentId: (key: string) => building.documentIds.get(key),
    attachmentId: (key: string) => attachmentIds.get(key),
    conceptId: (key: string) => building.conceptIds.get(key),
    oldIds: loaded.linkable,
  };
  const blocks = mapIds(loaded.blocks, map);
  const source = loaded.source && mappedSource(loaded.source, blocks, map);
  const document = {
    id,
    planned,
    title: title ?? planned.title,
    body: newBody(blocks, source, app.config.maxDocumentCharacters),
    frontMatter,
    attachments,
    discussion: discussion && mapDiscussion(discussion, map),
    summaries,
  };
  return { document, blocks: lowestBlocks(blocks).length, links, files: files.map(({ path }) => path), warnings };
}

async function keepFile(tools: ReadingTools, documentId: string, file: PlannedFile): Promise<AttachmentRow> {
  const { workspaceId, actor } = tools.building;
  const stored = await store(tools, file);
  tools.loose.add(stored.blob_key);
  return {
    ...stored,
    workspace_id: workspaceId,
    document_id: documentId,
    created_by: actor.userId,
    created_at: file.createdAt ?? Date.now(),
    expires_at: null,
    removed_from: null,
    deleted_by: null,
    deleted_version: null,
  };
}

/** The source with its addresses mapped as those of the blocks; undefined where it does not read as they do. */
function mappedSource(
  { text, addresses, blocks: read }: NonNullable<LoadedBody["source"]>,
  blocks: readonly Node[],
  map: IdMap,
): string | undefined {
  const mappedAddress = (value: string) => {
    const next = addresses.get(value);
    return next === undefined ? undefined : mappedHref(next, map);
  };
  const mapped = addresses.size === 0 ? text : replaceDestinations(text, mappedAddress);
  return saysTheSame(mapped === text ? read : parseMarkdown(mapped), blocks) ? mapped : undefined;
}

/** Whether both are the same Markdown. Nearly always they are the same blocks, and that takes less to see. */
const saysTheSame = (read: readonly Node[], blocks: readonly Node[]): boolean =>
  (read.length === blocks.length && read.every((node, i) => sameButIds(node, defined(blocks[i])))) ||
  serialiseBody(read).text === serialiseBody(blocks).text;

async function store({ app, archive }: ReadingTools, file: PlannedFile) {
  const limit = app.config.maxAttachmentBytes;
  const source = summed(archive.content(file.path), file);
  try {
    return await storeFile(app.blobs, file.fileName, source, { maxBytes: limit });
  } catch (error) {
    if (!(error instanceof BlobTooLarge)) throw error;
    throw new ImportRefused(
      "archive_too_large",
      `A file is larger than ${limit} bytes: ${file.fileName.slice(0, 200)}.`,
    );
  }
}

/** Passes the content on, and fails at its end when it is not what the manifest lists. */
async function* summed(source: AsyncIterable<Uint8Array>, { sha256, path }: PlannedFile): AsyncGenerator<Uint8Array> {
  const sum = createHash("sha256");
  for await (const chunk of source) {
    sum.update(chunk);
    yield chunk;
  }
  if (sha256 !== undefined && sum.digest("hex") !== sha256)
    throw new ImportRefused(
      "checksum_mismatch",
      `The file ${JSON.stringify(path.slice(0, 200))} is not the one listed.`,
    );
}
