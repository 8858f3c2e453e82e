import { defined } from "@svc/document/defined";
import { isRecord } from "@svc/document/guards";
import { frontMatterOf, sourceOf, splitReadable } from "@svc/document/properties/front-matter";
import { readProperties } from "@svc/document/properties/read-properties";
import { writeProperties } from "@svc/document/properties/write-properties";
import { Ajv, type ValidateFunction } from "ajv";
import { type Static, Type } from "typebox";
import type { Config } from "../../config.ts";
import { name, oneOf } from "../../http/schemas.ts";
import { messageOf } from "../../http/validation.ts";
import { costlyShape } from "../../http/wire/json-shape.ts";
import { parseBlocks } from "../content/parse-blocks.ts";
import { documentSettings, documentTypes } from "../documents/schema.ts";
import { FORMAT, FORMAT_VERSION } from "../export/manifest.ts";
import { graphLines } from "./graph-schema.ts";
import { languageFields } from "./language-schema.ts";
import { checkFiles } from "./manifest-files.ts";
import { type Archive, checkSum } from "./open-archive.ts";
import { cleanTitle, type ImportPlan, type LoadedBody, type PlannedDocument, type PlannedLanguage } from "./plan.ts";
import { type PlannedDiscussion, readDiscussion } from "./read-discussion.ts";
import { readGraph } from "./read-graph.ts";
import { readLanguages } from "./read-languages.ts";
import { readStyle } from "./read-style.ts";
import { type PlannedSummary, readSummaries } from "./read-summaries.ts";
import { ImportRefused } from "./refused.ts";

/** What a manifest may be: so much, and so much for each document in the archive, and never more than the last. */
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
      discussion_path: Type.Optional(text),
      summary_path: Type.Optional(text),
      style_path: Type.Optional(text),
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

/** Compiled for the first archive: few servers ever see one, and all would start later. */
function manifestCheck(): ValidateFunction<Manifest> {
  compiled ??= new Ajv({ strict: false, verbose: true }).compile<Manifest>(Manifest);
  return compiled;
}

/** What would take far more memory than its length is not parsed: where a heap ends within the parser, so does the process. */
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

/** The plan of an archive that this service wrote; undefined when it is none. */
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
  return planOf(manifest, archive, config, await checkFiles(archive, manifest));
}

function planOf(manifest: Manifest, archive: Archive, config: Config, lacking: readonly string[]): ImportPlan {
  const known = new Set(manifest.folders.map((folder) => folder.id));
  const keyOf = (folder: number | null) => (folder !== null && known.has(folder) ? String(folder) : null);
  const { graph, warnings } = readGraph(manifest);
  const { languages, warnings: alone } = readLanguages(manifest.documents);
  const planned = manifest.documents.map((line) =>
    plannedOf(line, keyOf(line.folder_id), languages.get(line.id), manifest, archive, config),
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
      summary_path === undefined || !archive.has(summary_path)
        ? []
        : { folderKey: keyOf(id), load: () => ownSummaries(archive, summary_path, manifest.checksums, config) },
    ),
    warnings: [...warnings, ...alone, ...few([...lacking, ...misplaced(manifest, known)])],
  };
}

/** What is put at the top because its folder is not in the archive. */
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

const MOST_WARNINGS = 100;

/** Of very many the number is told. */
const few = (warnings: readonly string[]): readonly string[] =>
  warnings.length <= MOST_WARNINGS
    ? warnings
    : [...warnings.slice(0, MOST_WARNINGS), `And ${warnings.length - MOST_WARNINGS} more.`];

const isTarget = ({ language }: PlannedDocument): boolean => language?.role === "target";

/** A translation is compared with its source when it is made. */
const sourcesFirst = (documents: readonly PlannedDocument[]): PlannedDocument[] => [
  ...documents.filter((document) => !isTarget(document)),
  ...documents.filter(isTarget),
];

/** Nothing was made later than now. */
const past = (time: number | undefined): number | undefined => time && Math.min(time, Date.now());

function plannedOf(
  line: Manifest["documents"][number],
  folderKey: string | null,
  language: PlannedLanguage | undefined,
  { checksums }: Manifest,
  archive: Archive,
  config: Config,
): PlannedDocument {
  return {
    key: line.id,
    folderKey,
    title: line.title.trim(),
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
      const frontMatter = await ownFrontMatter(archive, line.path, checksums, config);
      const discussion = await ownDiscussion(archive, line.discussion_path, checksums, config);
      const summaries = await ownSummaries(archive, line.summary_path, checksums, config);
      const source = await ownStyle(archive, line.style_path, checksums, config);
      return { blocks, files, frontMatter, discussion, summaries, source };
    },
  };
}

/** What the export itself puts into the front matter. */
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

/** The document's own properties, out of the front matter of its Markdown file. */
async function ownFrontMatter(
  archive: Archive,
  path: string | undefined,
  checksums: Manifest["checksums"],
  config: Config,
): Promise<string> {
  if (path === undefined || !archive.has(path)) return "";
  const content = await archive.read(path, bodyBytes(config));
  checkSum(path, content, checksums[path] ?? "");
  const source = sourceOf(splitReadable(content.toString("utf8")).frontMatter);
  if (source === "") return "";
  const all = readProperties(source);
  const hidden = all.properties;
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => !exported.has(name)));
  return frontMatterOf(writeProperties({ ...own, ...(isRecord(hidden) ? hidden : {}) }, source));
}

async function ownDiscussion(
  archive: Archive,
  path: string | undefined,
  checksums: Manifest["checksums"],
  config: Config,
): Promise<PlannedDiscussion | undefined> {
  if (path === undefined || !archive.has(path)) return undefined;
  const content = await archive.read(path, bodyBytes(config));
  checkSum(path, content, checksums[path] ?? "");
  return readDiscussion(parseJson(content, path), path, config);
}

async function ownSummaries(
  archive: Archive,
  path: string | undefined,
  checksums: Manifest["checksums"],
  config: Config,
): Promise<PlannedSummary[]> {
  if (path === undefined || !archive.has(path)) return [];
  const content = await archive.read(path, bodyBytes(config));
  checkSum(path, content, checksums[path] ?? "");
  return readSummaries(parseJson(content, path), path);
}

async function ownStyle(
  archive: Archive,
  path: string | undefined,
  checksums: Manifest["checksums"],
  config: Config,
): Promise<LoadedBody["source"]> {
  if (path === undefined || !archive.has(path)) return undefined;
  const content = await archive.read(path, bodyBytes(config));
  checkSum(path, content, checksums[path] ?? "");
  return readStyle(content.toString());
}

/** Generous: marks and attributes take more than the text itself. */
export const bodyBytes = (config: Config): number => config.maxDocumentCharacters * 64 + 1024 * 1024;

/** Refuses a folder that is twice there or in itself. */
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
