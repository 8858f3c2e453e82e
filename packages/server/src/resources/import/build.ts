import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { defined } from "@svc/document/defined";
import { replaceDestinations } from "@svc/document/markdown/destinations";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { sameButIds } from "@svc/document/markdown/reconcile";
import { serialiseBody } from "@svc/document/markdown/serialise";
import type { Node } from "@svc/document/types";
import { lowestBlocks } from "@svc/search/text/searchable";
import type { AttachmentRow, DocumentRow } from "../../db/schema/tables/documents.ts";
import { ledgerOf } from "../../events/ledger.ts";
import { newId } from "../../ids.ts";
import { BlobTooLarge } from "../../ports/blobs/blob-store.ts";
import { insertAttachments } from "../attachments/queries.ts";
import { storeFile } from "../attachments/store-file.ts";
import { createDocument } from "../documents/create-document.ts";
import { createFolder } from "../folders/create-folder.ts";
import { lockStructure } from "../folders/lock-structure.ts";
import { buildConcepts } from "./build-concepts.ts";
import { buildDiscussion } from "./build-discussion.ts";
import { buildLanguage } from "./build-language.ts";
import { buildRelations } from "./build-relations.ts";
import type { Building } from "./building.ts";
import { keepPlaces } from "./keep-places.ts";
import { LandedEvidence } from "./landed-evidence.ts";
import { mapDiscussion } from "./map-discussion.ts";
import { type IdMap, mapIds, mappedBlockId, mappedHref } from "./mapped-ids.ts";
import type { LinkCounts, LoadedBody, PlannedDocument, PlannedFile, PlannedRelation } from "./plan.ts";
import type { PlannedDiscussion } from "./read-discussion.ts";
import { ImportRefused } from "./refused.ts";

const FOLDERS_PER_TRANSACTION = 200;
const DOCUMENTS_PER_TRANSACTION = 25;
/** Files of one batch are stored before its transaction; a batch is closed early when it has many. */
const FILES_PER_TRANSACTION = 50;
/** The same with many blocks: more than 2,000 are left to the background, which reads and indexes them once more. */
const BLOCKS_PER_TRANSACTION = 1200;

export interface Built {
  readonly folders: number;
  readonly documents: number;
  readonly attachments: number;
  readonly relations: number;
  readonly concepts: number;
  /** Between the files of an archive of another program. */
  readonly links_resolved: number;
  readonly links_unresolved: number;
  /** What could not be carried over, in words. */
  readonly warnings: readonly string[];
}

interface ReadyDocument {
  readonly id: string;
  readonly planned: PlannedDocument;
  readonly title: string;
  readonly blocks: readonly Node[];
  readonly frontMatter: string | undefined;
  /** The Markdown that reads as these blocks, as it was written. */
  readonly source: string | undefined;
  readonly attachments: readonly AttachmentRow[];
  readonly discussion: PlannedDiscussion | undefined;
  readonly links: LinkCounts;
  readonly warnings: readonly string[];
}

/** Puts everything into the new knowledge base, in transactions small enough to let others write in between. */
export async function build(input: Building): Promise<Built> {
  const { app, control, plan } = input;
  const folderIds = await buildFolders(input);
  const documentIds = new Map(plan.documents.map((document) => [document.key, newId("doc")]));
  if (documentIds.size !== plan.documents.length)
    throw new ImportRefused("invalid_archive", "The archive lists a document twice.");
  const graph = plan.graph ?? { relations: new Map<string, PlannedRelation[]>(), concepts: [] };
  const conceptIds = new Map(graph.concepts.map((concept) => [concept.key, newId("concept")]));
  const evidence = new LandedEvidence(input.seed, graph);
  const setKeys = new Set(plan.documents.flatMap(({ language }) => (language ? [language.setKey] : [])));
  const setIds = new Map([...setKeys].map((key) => [key, newId("dset")]));
  /** Files that no row names yet. */
  const loose = new Set<string>();
  let batch: ReadyDocument[] = [];
  let blocks = 0;
  let done = 0;
  let attachments = 0;
  let relations = 0;
  const links = { links_resolved: 0, links_unresolved: 0 };
  const warnings = new Warnings();
  const flush = async () => {
    const ready = batch;
    batch = [];
    blocks = 0;
    if (ready.length === 0) return;
    await app.database.transaction(async (tx) => {
      const planned = ready.map((document) => document.planned);
      await keepPlaces(tx, input, planned, folderIds, documentIds);
      for (const document of ready) {
        await insertAttachments(tx, document.attachments);
        const bytes = document.attachments.reduce((sum, row) => sum + row.size, 0);
        ledgerOf(tx, input.workspaceId).count("attachment_bytes", bytes, app.config.maxStorageBytes);
        const { key, language } = document.planned;
        const version = { id: document.id, key, blocks: document.blocks };
        const variant = language && (await buildLanguage(tx, { ...input, documentIds, setIds }, version, language));
        const row = await createDocument(app, tx, newDocumentOf(input, document, folderIds, variant));
        if (document.discussion) {
          const discussed = { document: row, key, archivedVersion: document.planned.version };
          await buildDiscussion(tx, input, discussed, document.discussion);
        }
        await evidence.note(tx, key, input.workspaceId, document.id);
        await buildRelations(tx, input, graph.relations.get(key) ?? [], documentIds, evidence);
      }
    });
    loose.clear();
    done += ready.length;
    attachments += ready.reduce((sum, document) => sum + document.attachments.length, 0);
    relations += ready.reduce((sum, { planned }) => sum + (graph.relations.get(planned.key)?.length ?? 0), 0);
    await control.report({ documents_total: plan.documents.length, documents_done: done });
  };
  try {
    for (const planned of plan.documents) {
      control.signal.throwIfAborted();
      const ready = await makeReady({ ...input, loose }, planned, documentIds, conceptIds);
      warnings.add(ready.warnings);
      links.links_resolved += ready.links.resolved;
      links.links_unresolved += ready.links.unresolved;
      batch.push(ready);
      blocks += lowestBlocks(ready.blocks).length;
      const isFull = batch.length >= DOCUMENTS_PER_TRANSACTION || blocks >= BLOCKS_PER_TRANSACTION;
      if (isFull || loose.size >= FILES_PER_TRANSACTION) await flush();
      await turn();
    }
    await flush();
  } catch (error) {
    for (const key of loose) await app.blobs.delete(key).catch(() => undefined);
    throw error;
  }
  await buildConcepts({ ...input, documentIds, conceptIds, evidence }, graph.concepts);
  const counts = { folders: folderIds.size, documents: done, attachments, relations, concepts: conceptIds.size };
  return { ...counts, ...links, warnings: warnings.list() };
}

const NO_LINKS: LinkCounts = { resolved: 0, unresolved: 0 };

const MOST_WARNINGS = 200;

/** Warnings of all documents; of very many the number. */
class Warnings {
  readonly #named: string[] = [];
  #more = 0;

  add(warnings: readonly string[]): void {
    for (const warning of warnings)
      if (this.#named.length < MOST_WARNINGS) this.#named.push(warning);
      else this.#more++;
  }

  list(): readonly string[] {
    return this.#more === 0 ? this.#named : [...this.#named, `And ${this.#more} more.`];
  }
}

async function buildFolders({ app, plan, workspaceId, knowledgeBaseId }: Building): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (let i = 0; i < plan.folders.length; i += FOLDERS_PER_TRANSACTION) {
    const made = await app.database.transaction(async (tx) => {
      await lockStructure(tx, workspaceId);
      const some = new Map<string, number>();
      for (const { key, parentKey, name } of plan.folders.slice(i, i + FOLDERS_PER_TRANSACTION)) {
        const parentId = parentKey === null ? null : (some.get(parentKey) ?? ids.get(parentKey) ?? null);
        some.set(key, (await createFolder(app, tx, { workspaceId, knowledgeBaseId, name, parentId })).id);
      }
      return some;
    });
    for (const [key, id] of made) ids.set(key, id);
  }
  return ids;
}

const newDocumentOf = (
  { workspaceId, knowledgeBaseId, actor, seed }: Building,
  { id, planned, title, blocks, source, frontMatter }: ReadyDocument,
  folderIds: ReadonlyMap<string, number>,
  variant: Partial<DocumentRow> | undefined,
) => ({
  workspaceId,
  id,
  title,
  knowledgeBaseId,
  folderId: planned.folderKey === null ? null : (folderIds.get(planned.folderKey) ?? null),
  documentType: planned.documentType,
  headingNumbered: planned.headingNumbered,
  backgroundColor: planned.backgroundColor,
  collapsedBlockIds: planned.collapsedBlockIds.map((block) => mappedBlockId(seed, planned.key, block)),
  isTemplate: planned.isTemplate,
  blocks,
  source,
  frontMatter,
  actor,
  variant: {
    ...variant,
    ...(planned.createdAt !== undefined && { created_at: planned.createdAt }),
    ...(planned.updatedAt !== undefined && { updated_at: planned.updatedAt }),
  },
});

async function makeReady(
  input: Building & { readonly loose: Set<string> },
  planned: PlannedDocument,
  documentIds: ReadonlyMap<string, string>,
  conceptIds: ReadonlyMap<string, string>,
): Promise<ReadyDocument> {
  const id = documentIds.get(planned.key)!;
  const loaded = await planned.load();
  const { files, title, frontMatter, discussion, links = NO_LINKS, warnings = [] } = loaded;
  const rows: AttachmentRow[] = [];
  const attachmentIds = new Map<string, string>();
  for (const file of files) {
    const stored = await store(input, file);
    input.loose.add(stored.blob_key);
    attachmentIds.set(file.key, stored.id);
    const owner = { workspace_id: input.workspaceId, document_id: id, created_by: input.actor.userId };
    rows.push({
      ...stored,
      ...owner,
      created_at: file.createdAt ?? Date.now(),
      expires_at: null,
      removed_from: null,
      deleted_by: null,
      deleted_version: null,
    });
  }
  const map = {
    seed: input.seed,
    documentKey: planned.key,
    documentId: (key: string) => documentIds.get(key),
    attachmentId: (key: string) => attachmentIds.get(key),
    conceptId: (key: string) => conceptIds.get(key),
  };
  const own = { id, planned, title: title ?? planned.title, frontMatter };
  const said = discussion && mapDiscussion(discussion, map);
  const blocks = mapIds(loaded.blocks, map);
  const source = loaded.source && mappedSource(loaded.source, blocks, map);
  return { ...own, blocks, source, discussion: said, attachments: rows, links, warnings };
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

async function store({ app, archive, control }: Building, file: PlannedFile) {
  const limit = app.config.maxAttachmentBytes;
  const source = summed(archive.content(file.path), file);
  try {
    return await storeFile(app.blobs, file.fileName, source, { maxBytes: limit, signal: control.signal });
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
