import type { AttachmentRow, DocumentRow } from "../../../db/schema/tables/documents.ts";
import { describedFile } from "../../content/attachments/represent.ts";
import { documentOf } from "../../library/documents/represent.ts";
import type { Folder } from "../../library/folders/queries.ts";
import type { KnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { addressPath } from "./address-file.ts";
import { discussionPath } from "./discussion-files.ts";
import type { DocumentPage } from "./export-source.ts";
import type { LanguageLine } from "./language-lines.ts";
import { attachmentPath, type Layout } from "./layout.ts";
import { stylePath } from "./style-file.ts";
import { summaryPath, TOP } from "./summary-files.ts";

export const FORMAT = "svc-knowledge-base";
export const FORMAT_VERSION = 1;

interface ManifestSource {
  readonly knowledgeBase: Pick<KnowledgeBase, "id" | "name" | "created_at">;
  readonly folders: readonly Folder[];
  readonly layout: Layout;
  /** Path → SHA-256 in hex, for every other file. */
  readonly checksums: ReadonlyMap<string, string>;
  readonly pages: () => AsyncIterable<DocumentPage>;
  readonly languages: (documents: readonly DocumentRow[]) => Promise<ReadonlyMap<string, LanguageLine>>;
  /** Each serialized as JSON. */
  readonly relations: AsyncIterable<string>;
  /** Each in pieces of JSON. */
  readonly concepts: AsyncIterable<AsyncIterable<string>>;
}

/** The manifest as JSON, in pieces, because it grows with the number of documents. */
export async function* manifestText(source: ManifestSource): AsyncGenerator<Uint8Array> {
  const { knowledgeBase, folders, layout, checksums } = source;
  const summaryOf = (about: string | number) =>
    checksums.has(summaryPath(about)) && { summary_path: summaryPath(about) };
  const head = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    exported_at: Date.now(),
    knowledge_base: {
      id: knowledgeBase.id,
      name: knowledgeBase.name,
      created_at: knowledgeBase.created_at,
      ...summaryOf(TOP),
    },
    folders: folders.map((folder) => ({ ...folderLine(folder, layout), ...summaryOf(folder.id) })),
  };
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"documents":[`);
  let separator = "\n";
  for await (const { documents, attachments } of source.pages()) {
    const languages = await source.languages(documents);
    const lines = documents.map((document) =>
      JSON.stringify({
        ...documentLine(document, layout, attachments.get(document.id) ?? [], languages.get(document.id)),
        ...(checksums.has(discussionPath(document.id)) && { discussion_path: discussionPath(document.id) }),
        ...summaryOf(document.id),
        ...(checksums.has(stylePath(document.id)) && { style_path: stylePath(document.id) }),
        ...(checksums.has(addressPath(document.id)) && { file_addresses_path: addressPath(document.id) }),
      }),
    );
    yield Buffer.from(separator + lines.join(",\n"));
    separator = ",\n";
  }
  yield Buffer.from('],\n"relations":[');
  separator = "\n";
  for await (const line of source.relations) {
    yield Buffer.from(separator + line);
    separator = ",\n";
  }
  yield Buffer.from('],\n"concepts":[');
  separator = "\n";
  for await (const pieces of source.concepts) {
    yield Buffer.from(separator);
    for await (const piece of pieces) yield Buffer.from(piece);
    separator = ",\n";
  }
  yield Buffer.from('],\n"checksums":{');
  separator = "\n";
  for (const [path, sum] of checksums) {
    yield Buffer.from(`${separator}${JSON.stringify(path)}:"${sum}"`);
    separator = ",\n";
  }
  yield Buffer.from("}}\n");
}

const folderLine = ({ id, parent_id, name, created_at, updated_at }: Folder, layout: Layout) => ({
  id,
  parent_id,
  name,
  path: layout.folders.get(id)?.path ?? null,
  created_at,
  updated_at,
});

/** Whether front matter is short enough for the manifest; longer front matter is read from the document's file. */
const isShort = (frontMatter: string): boolean => frontMatter !== "" && frontMatter.length <= 1500;

function documentLine(
  document: DocumentRow,
  layout: Layout,
  attachments: readonly AttachmentRow[],
  { state, ...language }: LanguageLine = {},
) {
  const path = layout.documents.get(document.id);
  const { properties: _, ...fields } = documentOf(document, state);
  return {
    ...fields,
    ...language,
    ...(isShort(document.front_matter) && { front_matter: document.front_matter }),
    path: `${path}.md`,
    body_path: `${path}.json`,
    attachments: attachments.map((row) => {
      const { document_id: _, url: __, markdown: ___, ...fields } = describedFile(row);
      const { created_by, created_at } = row;
      return { ...fields, created_by, created_at, path: attachmentPath(row.id, row.file_name) };
    }),
  };
}
