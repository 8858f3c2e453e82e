import { createHash, hash } from "node:crypto";
import { defined } from "@svc/document/defined";
import type { ZipEntry } from "../../../archives/write-zip.ts";
import { StoredBody } from "../../../bodies/body.ts";
import { loadSegments } from "../../../bodies/load-body.ts";
import { manifestOf } from "../../../bodies/manifest.ts";
import type { AttachmentRow, DocumentRow } from "../../../db/schema/tables/documents.ts";
import { BlobNotFound, type BlobStore } from "../../../ports/blobs/blob-store.ts";
import { addressPath, addressText } from "./address-file.ts";
import { discussionPath, discussionText } from "./discussion-files.ts";
import { documentText, indexText } from "./document-text.ts";
import { readScope, type Scope } from "./export-scope.ts";
import type { DocumentPage, ExportSource } from "./export-source.ts";
import { conceptLines, relationLines } from "./graph-lines.ts";
import { type LinkedPage, LinkFinder } from "./heading-anchors.ts";
import { languageLines } from "./language-lines.ts";
import { attachmentPath, bundleLink, type Layout, layOut } from "./layout.ts";
import { manifestText } from "./manifest.ts";
import { listAttachmentsOfAll, listBodies, listDocumentPage, listPlacedDocuments } from "./queries.ts";
import { styledText, stylePath } from "./style-file.ts";
import { documentSummaries, folderSummaries } from "./summary-files.ts";

const PAGE = 100;

/** Yields every file of a knowledge base's archive; `manifest.json` comes last, because it lists the others. */
export async function* exportEntries(source: ExportSource): AsyncGenerator<ZipEntry> {
  const { db, workspaceId, knowledgeBaseId } = source;
  const { top: knowledgeBase, folders, scoped } = await readScope(source);
  const placed = scoped(await listPlacedDocuments(db, workspaceId, knowledgeBaseId));
  const layout = layOut(knowledgeBase.name, folders, placed);
  const titles = new Map(placed.map((document) => [document.id, document.title]));
  const checksums = new Map<string, string>();
  for (const entry of indexes(layout, titles, new Date(knowledgeBase.updated_at))) yield summed(entry, checksums);
  const finder = new LinkFinder(source, (id) => layout.documents.has(id));
  for await (const page of pages(source, scoped))
    for await (const entry of pageEntries(source, page, layout, finder)) yield summed(entry, checksums);
  for await (const entry of folderSummaries(source, folders)) yield summed(entry, checksums);
  const relations = relationLines(source, (document) => layout.documents.has(document));
  const concepts = source.withConcepts ? conceptLines(source) : none();
  const graph = { relations, concepts };
  const languages = (documents: readonly DocumentRow[]) => languageLines(db, documents);
  const walks = { pages: () => pages(source, scoped), languages };
  const content = manifestText({ knowledgeBase, folders, layout, checksums, ...walks, ...graph });
  yield { path: "manifest.json", modified: new Date(), content, compress: true };
}

async function* none(): AsyncGenerator<never> {}

async function* pages(source: ExportSource, scoped: Scope["scoped"]): AsyncGenerator<DocumentPage> {
  const { db, workspaceId, knowledgeBaseId } = source;
  for (let after = ""; ; ) {
    const read = await listDocumentPage(db, workspaceId, knowledgeBaseId, after, PAGE);
    if (read.length === 0) return;
    const documents = scoped(read);
    const ids = documents.map((document) => document.id);
    if (ids.length > 0) yield { documents, attachments: await listAttachmentsOfAll(db, workspaceId, ids) };
    after = defined(read.at(-1)).id;
  }
}

function* indexes(layout: Layout, titles: ReadonlyMap<string, string>, modified: Date): Generator<ZipEntry> {
  for (const [id, place] of layout.folders) {
    const prefix = place.path === "" ? "" : `${place.path}/`;
    const folders = place.folders.map((inner) => {
      const { name, path } = defined(layout.folders.get(inner));
      return { name, link: bundleLink(`${path}/index.md`) };
    });
    const documents = place.documents.map((document) => ({
      name: titles.get(document) ?? "",
      link: bundleLink(`${layout.documents.get(document)}.md`),
    }));
    const text = indexText(place.name, id === null, folders, documents);
    yield { path: `${prefix}index.md`, modified, content: Buffer.from(text) };
  }
}

async function* pageEntries(
  source: ExportSource,
  page: DocumentPage,
  layout: Layout,
  finder: LinkFinder,
): AsyncGenerator<ZipEntry> {
  const { db, workspaceId } = source;
  const bodies = await listBodies(
    db,
    workspaceId,
    page.documents.map((document) => document.id),
  );
  for (const document of page.documents) {
    const row = bodies.get(document.id);
    const path = layout.documents.get(document.id);
    if (!row || path === undefined) continue;
    const key = { workspaceId, documentId: document.id };
    // Bypasses the cache: each body is read once and would evict bodies that others read again.
    const body = new StoredBody(row, await loadSegments(db, key, manifestOf(row), false));
    const attachments = page.attachments.get(document.id) ?? [];
    const links = linksOf(layout, attachments, await finder.find(document.id, body.readOnce().content));
    const modified = new Date(document.updated_at);
    yield { path: `${path}.md`, modified, content: Buffer.from(documentText(document, body, links)) };
    yield { path: `${path}.json`, modified, content: Buffer.from(body.json) };
    const discussion = await discussionText(db, workspaceId, document.id);
    if (discussion !== undefined)
      yield { path: discussionPath(document.id), modified, content: Buffer.from(discussion) };
    yield* documentSummaries(db, document);
    const styled = await styledText(db, row, body);
    if (styled !== undefined) yield { path: stylePath(document.id), modified, content: Buffer.from(styled) };
    const addresses = await addressText(db, workspaceId, document.id);
    if (addresses !== undefined) yield { path: addressPath(document.id), modified, content: Buffer.from(addresses) };
    for (const attachment of attachments) yield* fileEntry(source.blobs, attachment);
  }
}

function linksOf(layout: Layout, attachments: readonly AttachmentRow[], pages: ReadonlyMap<string, LinkedPage>) {
  const files = new Map(attachments.map((row) => [row.id, bundleLink(attachmentPath(row.id, row.file_name))]));
  return {
    attachmentLink: (id: string) => files.get(id),
    pageLink: (href: string) => {
      const page = pages.get(href);
      const path = page && layout.documents.get(page.id);
      if (path === undefined) return undefined;
      return bundleLink(`${path}.md`) + (page?.anchor ? bundleLink(page.anchor).replace("/", "#") : "");
    },
  };
}

/** Skips a file that was deleted since the export began; the manifest then has no checksum for it. */
async function* fileEntry(blobs: BlobStore, row: AttachmentRow): AsyncGenerator<ZipEntry> {
  const found = await blobs.get(row.blob_key).catch((error) => {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  });
  if (!found) return;
  try {
    const path = attachmentPath(row.id, row.file_name);
    const compress = row.content_type === "application/octet-stream" || row.content_type.startsWith("text/");
    yield { path, modified: new Date(row.created_at), content: found.stream, compress };
  } finally {
    found.stream.destroy();
  }
}

/** Records a file's SHA-256; for a streamed file, once the stream has ended. */
function summed(entry: ZipEntry, checksums: Map<string, string>): ZipEntry {
  const { path, content } = entry;
  if (content instanceof Uint8Array) {
    checksums.set(path, hash("sha256", content));
    return entry;
  }
  const sum = createHash("sha256");
  async function* passing(stream: AsyncIterable<Uint8Array>) {
    for await (const chunk of stream) {
      sum.update(chunk);
      yield chunk;
    }
    checksums.set(path, sum.digest("hex"));
  }
  return { ...entry, content: passing(content) };
}
