import { defined } from "@svc/document/defined";
import { isRecord } from "@svc/document/guards";
import { frontMatterOf, sourceOf, splitReadable } from "@svc/document/properties/front-matter";
import { readProperties } from "@svc/document/properties/read-properties";
import { writeProperties } from "@svc/document/properties/write-properties";
import { Ajv, type ValidateFunction } from "ajv";
import { type Static, Type } from "typebox";
import { type Archive, checkSum } from "../../../archives/open-archive.ts";
import { ImportRefused } from "../../../archives/refused.ts";
import { parseBlocks } from "../../../bodies/parsing/parse-blocks.ts";
import type { Config } from "../../../config.ts";
import { name, oneOf } from "../../../http/schemas.ts";
import { messageOf } from "../../../http/validation.ts";
import { costlyShape } from "../../../http/wire/json-shape.ts";
import { documentSettings, documentTypes } from "../../library/documents/schema.ts";
import { FORMAT, FORMAT_VERSION } from "../export/manifest.ts";
import { graphLines } from "./graph-schema.ts";
import { languageFields } from "./language-schema.ts";
import { checkFiles } from "./manifest-files.ts";
import { cleanTitle, type ImportPlan, type PlannedDocument, type PlannedLanguage } from "./plan.ts";
import { readAddresses } from "./read-addresses.ts";
import { readDiscussion } from "./read-discussion.ts";
import { readGraph } from "./read-graph.ts";
import { readLanguages } from "./read-languages.ts";
import { readStyle } from "./read-style.ts";
import { readSummaries } from "./read-summaries.ts";

/** The size limit of a manifest: a base, plus an amount per document in the archive, up to a maximum. */
const MANIFEST_BYTES = { least: 64 * 1024, perDocument: 4 * 1024, most: 64 * 1024 * 1024 };
const id = Type.Integer({ minimum: 1 });
const text = Type.String();
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: 8.64e15 }));

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  format_version: Type.Integer(),
  knowledge_base: Type.Object({ name: text, summary_path: Type.Optional(text) }),
  folders: Type.Array(
    Type.Object({ id, parent_id: Type.Union([id, Type.Null()]), name: text, summary_path: Type.Optional(text) }),
  ),
  documents: Type.Array(
    Type.Object({
      id: text,
      title: name(),
      version: text,
      folder_id: Type.Union([id, Type.Null()]),
      document_type: oneOf(documentTypes),
      ...documentSettings,
      body_path: text,
      path: Type.Optional(text),
      front_matter: Type.Optional(text),
      discussion_path: Type.Optional(text),
      summary_path: Type.Optional(text),
      style_path: Type.Optional(text),
      file_addresses_path: Type.Optional(text),
      created_at: time,
      updated_at: time,
      ...languageFields,
      attachments: Type.Array(Type.Object({ id: text, file_name: text, path: text, created_at: time })),
    }),
  ),
  ...graphLines,
  checksums: Type.Record(text, text),
});
type Manifest = Static<typeof Manifest>;

let compiled: ValidateFunction<Manifest> | undefined;

/** Compiled when the first archive arrives: few servers ever see one, and compiling would delay every start. */
function manifestCheck(): ValidateFunction<Manifest> {
  compiled ??= new Ajv({ strict: false, verbose: true }).compile<Manifest>(Manifest);
  return compiled;
}

/**
 * Refuses JSON that would take far more memory than its length: the process dies if the heap is exhausted in the
 * parser.
 */
const parseJson = (content: Buffer, path: string): unknown => {
  const shape = costlyShape(content);
  if (shape) throw new ImportRefused("invalid_archive", `${path} ${shape}.`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    throw new ImportRefused("invalid_archive", `${path} is not valid JSON in UTF-8.`);
  }
};

const isDocument = (path: string): boolean => path.endsWith(".md") && !/(?:^|\/)(?:index|log)\.md$/.test(path);

const maxManifestBytes = (archive: Archive): number =>
  Math.min(
    MANIFEST_BYTES.most,
    MANIFEST_BYTES.least + MANIFEST_BYTES.perDocument * archive.paths.filter(isDocument).length,
  );

/** The plan of an archive that this service wrote; undefined for any other archive. */
export async function readBundle(archive: Archive, config: Config): Promise<ImportPlan | undefined> {
  if (!archive.has("manifest.json")) return undefined;
  const manifest = parseJson(await archive.read("manifest.json", maxManifestBytes(archive)), "manifest.json");
  if (!isRecord(manifest) || manifest.format !== FORMAT) return undefined;
  const check = manifestCheck();
  if (!check(manifest)) {
    const [problem] = check.errors ?? [];
    const where = `manifest.json${problem?.instancePath ?? ""}`.slice(0, 200);
    throw new ImportRefused("invalid_archive", `${where} ${problem ? messageOf(problem) : "is not valid"}.`);
  }
  if (manifest.format_version > FORMAT_VERSION)
    throw new ImportRefused("invalid_archive", "The archive was written by a newer version of this service.");
  return planOf(manifest, { archive, config, checksums: manifest.checksums }, await checkFiles(archive, manifest));
}

/** The archive that files are read from. */
interface Source {
  readonly archive: Archive;
  readonly config: Config;
  readonly checksums: Manifest["checksums"];
}

function planOf(manifest: Manifest, source: Source, lacking: readonly string[]): ImportPlan {
  const known = new Set(manifest.folders.map((folder) => folder.id));
  const keyOf = (folder: number | null) => (folder !== null && known.has(folder) ? String(folder) : null);
  const { graph, warnings } = readGraph(manifest);
  const { languages, warnings: alone } = readLanguages(manifest.documents);
  const planned = manifest.documents.map((line) =>
    plannedOf(line, keyOf(line.folder_id), languages.get(line.id), source),
  );
  return {
    name: cleanTitle(manifest.knowledge_base.name),
    format: "svc",
    folders: parentsFirst(manifest.folders).map((folder) => ({
      key: String(folder.id),
      parentKey: keyOf(folder.parent_id),
      name: cleanTitle(folder.name),
    })),
    documents: sourcesFirst(planned),
    graph,
    summaries: [{ ...manifest.knowledge_base, id: null }, ...manifest.folders].flatMap(({ id, summary_path }) =>
      summary_path === undefined || !source.archive.has(summary_path)
        ? []
        : { folderKey: keyOf(id), load: async () => (await ownJson(source, summary_path, readSummaries)) ?? [] },
    ),
    warnings: [...warnings, ...alone, ...few([...lacking, ...misplaced(manifest, known)])],
  };
}

/** Describes content that moves to the top because its folder is not in the archive. */
function misplaced({ folders, documents }: Manifest, known: ReadonlySet<number>): string[] {
  const isLost = (folder: number | null) => folder !== null && !known.has(folder);
  const lost = [
    ...folders.filter((folder) => isLost(folder.parent_id)).map(({ name }) => name),
    ...documents.filter((line) => isLost(line.folder_id)).map(({ title }) => title),
  ];
  return lost.map(
    (name) => `${cleanTitle(name).slice(0, 200)}: its folder is not in the archive, so it is at the top.`,
  );
}

const MAX_WARNINGS = 100;

/** Beyond the limit, warnings are only counted. */
const few = (warnings: readonly string[]): readonly string[] =>
  warnings.length <= MAX_WARNINGS
    ? warnings
    : [...warnings.slice(0, MAX_WARNINGS), `And ${warnings.length - MAX_WARNINGS} more.`];

const isTarget = ({ language }: PlannedDocument): boolean => language?.role === "target";

/** Sources first, because a translation is compared with its source when it is created. */
const sourcesFirst = (documents: readonly PlannedDocument[]): PlannedDocument[] => [
  ...documents.filter((document) => !isTarget(document)),
  ...documents.filter(isTarget),
];

/** Clamps a timestamp to now. */
const past = (time: number | undefined): number | undefined => time && Math.min(time, Date.now());

function plannedOf(
  line: Manifest["documents"][number],
  folderKey: string | null,
  language: PlannedLanguage | undefined,
  from: Source,
): PlannedDocument {
  const { archive, config, checksums } = from;
  return {
    key: line.id,
    folderKey,
    title: line.title.trim(),
    fileName: line.file_name ?? undefined,
    documentType: line.document_type,
    headingNumbered: line.heading_numbered ?? false,
    backgroundColor: line.background_color ?? null,
    collapsedBlockIds: line.collapsed_block_ids ?? [],
    isTemplate: line.is_template,
    createdAt: past(line.created_at),
    updatedAt: past(line.updated_at),
    language,
    version: line.version,
    load: async () => {
      const content = await archive.read(line.body_path, bodyBytes(config));
      checkSum(line.body_path, content, checksums[line.body_path] ?? "");
      const document = parseJson(content, line.body_path);
      const { maxDocumentCharacters: maxCharacters } = config;
      const rules = { documentType: line.document_type, maxCharacters };
      const blocks = parseBlocks({ format: "tiptap-json", document }, [], rules);
      const files = line.attachments
        .filter(({ path }) => archive.has(path))
        .map(({ id: key, file_name: fileName, path, created_at }) => {
          return { key, path, fileName, sha256: checksums[path] ?? "", createdAt: past(created_at) };
        });
      const { front_matter: given = "" } = line;
      const isWhole = given !== "" && splitReadable(given).frontMatter === given;
      const frontMatter = isWhole ? given : await ownFrontMatter(from, line.path);
      const discussion = await ownJson(from, line.discussion_path, (content, path) =>
        readDiscussion(content, path, config),
      );
      const summaries = (await ownJson(from, line.summary_path, readSummaries)) ?? [];
      const style = await ownFile(from, line.style_path);
      const source = style && readStyle(style.toString());
      const fileAddresses = await ownJson(from, line.file_addresses_path, readAddresses);
      return { blocks, files, frontMatter, discussion, summaries, source, ...(fileAddresses && { fileAddresses }) };
    },
  };
}

/** Front matter properties that the export adds. */
const exported = new Set([
  "type",
  "title",
  "id",
  "resource",
  "version",
  "locale",
  "updated_at",
  "generated",
  "properties",
]);

/** The document's own properties, from the front matter of its Markdown file. */
async function ownFrontMatter(source: Source, path: string | undefined): Promise<string> {
  const content = await ownFile(source, path);
  const yaml = content === undefined ? "" : sourceOf(splitReadable(content.toString("utf8")).frontMatter);
  if (yaml === "") return "";
  const all = readProperties(yaml);
  const hidden = all.properties;
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !exported.has(name)));
  return frontMatterOf(writeProperties({ ...own, ...(isRecord(hidden) ? hidden : {}) }, yaml));
}

/** The content of a document's file; undefined if the manifest names none or the archive lacks it. */
async function ownFile({ archive, checksums, config }: Source, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined || !archive.has(path)) return undefined;
  const content = await archive.read(path, bodyBytes(config));
  checkSum(path, content, checksums[path] ?? "");
  return content;
}

/** Same for a JSON file, converted by `read`. */
async function ownJson<T>(
  source: Source,
  path: string | undefined,
  read: (content: unknown, path: string) => T,
): Promise<T | undefined> {
  const content = await ownFile(source, path);
  return content === undefined || path === undefined ? undefined : read(parseJson(content, path), path);
}

/** Generous, because marks and attributes take more than the text itself. */
export const bodyBytes = (config: Config): number => config.maxDocumentCharacters * 64 + 1024 * 1024;

/** Refuses duplicate folders and cycles. */
function parentsFirst(folders: Manifest["folders"]): Manifest["folders"] {
  const children = Map.groupBy(folders, (folder) => folder.parent_id);
  const known = new Set(folders.map((folder) => folder.id));
  const ordered = folders.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  for (let i = 0; i < ordered.length && ordered.length <= folders.length; i++)
    ordered.push(...(children.get(defined(ordered[i]).id) ?? []));
  if (ordered.length !== folders.length || known.size !== folders.length)
    throw new ImportRefused("invalid_archive", "The manifest's folders do not form a tree.");
  return ordered;
}
