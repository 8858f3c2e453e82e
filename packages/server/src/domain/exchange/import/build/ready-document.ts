import { createHash } from "node:crypto";
import { defined } from "@svc/document/defined";
import { replaceDestinations } from "@svc/document/markdown/destinations";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { sameButIds } from "@svc/document/markdown/reconcile";
import { restyle } from "@svc/document/markdown/restyle";
import { serialiseBody } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";
import { lowestBlocks } from "@svc/search/text/searchable";
import type { Archive } from "../../../../archives/open-archive.ts";
import { ImportRefused } from "../../../../archives/refused.ts";
import { type NewBody, newBody } from "../../../../bodies/new-body.ts";
import type { NewAttachmentRow } from "../../../../db/schema/tables/documents.ts";
import { BlobTooLarge } from "../../../../ports/blobs/blob-store.ts";
import type { Services } from "../../../../services.ts";
import { storeFile } from "../../../content/attachments/store-file.ts";
import type { FileAddresses } from "../../../library/file-addresses/queries.ts";
import { mapDiscussion } from "../map-discussion.ts";
import { type IdMap, mapIds, mappedHref } from "../mapped-ids.ts";
import type { LoadedBody, PageLinks, PlannedDocument, PlannedFile } from "../plan.ts";
import type { PlannedDiscussion } from "../read-discussion.ts";
import type { PlannedSummary } from "../read-summaries.ts";
import type { Building, DocumentLine } from "./building.ts";

/**
 * A document that is parsed, has all its ids and only needs to be stored. Plain values except for the body's segments.
 */
export interface ReadyDocument {
  readonly id: string;
  readonly planned: DocumentLine;
  readonly title: string;
  readonly body: NewBody;
  readonly frontMatter: string | undefined;
  readonly fileAddresses: FileAddresses;
  readonly attachments: readonly NewAttachmentRow[];
  readonly discussion: PlannedDiscussion | undefined;
  readonly summaries: readonly PlannedSummary[];
}

/** A parsed document and what was found while reading it. */
export interface ReadDocument {
  readonly document: ReadyDocument;
  /** Number of indexed blocks. */
  readonly blocks: number;
  readonly links: PageLinks;
  /** Paths of the files that became attachments. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** Everything needed to read documents. */
export interface ReadingTools {
  readonly app: Services;
  readonly archive: Archive;
  readonly building: Building;
  /** Stored files that no row refers to yet. */
  readonly loose: Set<string>;
}

const NO_LINKS: PageLinks = { resolved: 0, unresolved: [] };

/** Reads a document and stores its files. */
export async function readDocument(tools: ReadingTools, { load, ...planned }: PlannedDocument): Promise<ReadDocument> {
  const { app, building } = tools;
  const id = defined(building.documentIds.get(planned.key));
  const loaded = await load();
  const { files, title, frontMatter, discussion, summaries = [], links = NO_LINKS, warnings = [] } = loaded;
  const { fileAddresses = new Map() } = loaded;
  const attachments: NewAttachmentRow[] = [];
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
    fileAddresses: Object.fromEntries([...fileAddresses].map(([there, said]) => [mappedHref(there, map), said])),
    attachments,
    discussion: discussion && mapDiscussion(discussion, map),
    summaries,
  };
  return { document, blocks: lowestBlocks(blocks).length, links, files: files.map(({ path }) => path), warnings };
}

async function keepFile(tools: ReadingTools, documentId: string, file: PlannedFile): Promise<NewAttachmentRow> {
  const { workspaceId, actor } = tools.building;
  const stored = await storePlannedFile(tools, file);
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

/**
 * The source text with its addresses mapped like those of the blocks. Anything it does not express identically is
 * written anew.
 */
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
  return saysTheSame(mapped === text ? read : parseMarkdown(mapped), blocks) ? mapped : restyle(mapped, blocks);
}

/** Whether both are the same Markdown. Compares the blocks first: they are nearly always equal, and that is cheaper. */
const saysTheSame = (read: readonly Node[], blocks: readonly Node[]): boolean =>
  (read.length === blocks.length && read.every((node, i) => sameButIds(node, defined(blocks[i])))) ||
  serialiseBody(read).text === serialiseBody(blocks).text;

async function storePlannedFile({ app, archive }: ReadingTools, file: PlannedFile) {
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

/** Passes the content through and fails at the end if it does not match the manifest. */
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
