import { isRecord } from "@svc/document/guards";
import type { Client } from "@svc/sdk";
import type * as z from "zod";
import { coerce } from "./coerce.ts";
import { findBlock } from "./find-block.ts";
import { findByEnding, findCandidate, findConcept, findTrash } from "./find-by-name.ts";
import { findDocument } from "./find-document.ts";
import { findFile } from "./find-file.ts";
import { findFolder, findPlace } from "./find-place.ts";
import { findConceptVersion, findVersion } from "./find-version.ts";
import { wholeLinks } from "./whole-links.ts";

type Arguments = Record<string, unknown>;

/** Other words for an argument, as models say them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  document_id: ["document", "doc", "id", "doc_id", "page", "uri", "url", "path"],
  query: ["q", "text", "question"],
  in: ["folder", "place", "location", "parent", "knowledge_base"],
  markdown: ["content", "text", "body"],
  section: ["heading", "section_id", "heading_text"],
  old: ["old_text", "old_string", "find"],
  new: ["new_text", "new_string", "replace", "replacement"],
  properties: ["property", "filter", "filters"],
  file_name: ["filename", "name"],
  file: ["file_name", "filename", "file_id", "attachment_id", "attachment"],
  base64: ["data", "blob", "content_base64"],
  title: ["name"],
  name: ["title"],
  since: ["from", "after_time", "updated_since"],
  max_tokens: ["tokens", "budget"],
  limit: ["max_results", "count"],
};

const DOCUMENTS = ["document_id", "target_document_id", "source_document_id", "canonical_document_id"];
const isBlock = (name: string): boolean => /(?:^|_)block_id$/.test(name);
/** Text that may link to documents. */
const MARKDOWN = ["markdown", "old", "new", "target_uri"];
const VERSIONS = ["base_version", "source_version", "target_version"];

/** Ids that may be names, beside those of documents, places and blocks. */
const BY_NAME: Readonly<Record<string, (client: Client, text: string) => Promise<string>>> = {
  concept_id: findConcept,
  source_concept_id: findConcept,
  target_concept_id: findConcept,
  candidate_id: findCandidate,
  trash_id: findTrash,
  comment_id: findByEnding("comment"),
  suggestion_id: findByEnding("suggestion"),
  relation_id: findByEnding("relation"),
  job_id: findByEnding("translation_job"),
};

/** Versions of concepts and candidates, and what names those: ids come first. */
const CONCEPT_VERSIONS = [
  ["version", "candidate_id"],
  ["version", "concept_id"],
  ["source_version", "source_concept_id"],
] as const;

/**
 * Arguments as the tool takes them. Names, paths, addresses and short forms become ids; numbers and lists that came as
 * text, wrappers that are not there (or should not be) and other words for an argument are put right.
 */
export async function prepareArguments(client: Client, input: z.ZodObject, args: unknown): Promise<unknown> {
  if (!isRecord(args)) return args;
  const known = Object.keys(input.shape);
  const given = renamed(rewrapped(args, known), known);
  const coerced = coerce(input, given);
  return isRecord(coerced) ? resolved(client, coerced, undefined) : coerced;
}

/** `{change: {…}}` where the arguments stand side by side, and the other way round. */
function rewrapped(args: Arguments, known: readonly string[]): Arguments {
  for (const wrapper of ["change", "arguments", "args", "input", "params"]) {
    const inner = args[wrapper];
    if (!known.includes(wrapper) && isRecord(inner)) return { ...args, [wrapper]: undefined, ...inner };
  }
  if (!known.includes("change") || "change" in args) return args;
  const outside = Object.entries(args).filter(([name]) => known.includes(name));
  const inside = Object.entries(args).filter(([name]) => !known.includes(name));
  return { ...Object.fromEntries(outside), change: Object.fromEntries(inside) };
}

function renamed(args: Arguments, known: readonly string[]): Arguments {
  const result: Arguments = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  for (const name of known) {
    if (name in result) continue;
    const plurals = [`${name}s`, name.replace(/y$/, "ies")];
    const alias = [...(ALIASES[name] ?? []), ...plurals].find((each) => each in result && !known.includes(each));
    if (alias === undefined) continue;
    result[name] = plurals.includes(alias) ? onlyOne(result[alias]) : result[alias];
    delete result[alias];
  }
  return result;
}

/** A list of one, where one is wanted. */
const onlyOne = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/** Everything that names something, at any depth; blocks and versions belong to the document beside or above them. */
async function resolved(client: Client, args: Arguments, outer: string | undefined): Promise<Arguments> {
  const result: Arguments = { ...args };
  for (const name of DOCUMENTS) {
    const value = result[name];
    if (typeof value !== "string" || value === "") continue;
    const block = /#block=(block_\w+)/.exec(value)?.[1];
    result[name] = await findDocument(client, value);
    if (name === "document_id" && block !== undefined) result.section ??= block;
  }
  const own = result.document_id ?? result.source_document_id;
  const document = typeof own === "string" ? own : outer;
  for (const [name, value] of Object.entries(result)) {
    if (Array.isArray(value)) {
      result[name] = await Promise.all(value.map((each) => (isRecord(each) ? resolved(client, each, document) : each)));
    } else if (isRecord(value)) result[name] = await resolved(client, value, document);
    else if (typeof value === "string") result[name] = await resolvedText(client, name, value, document);
  }
  for (const [version, owner] of CONCEPT_VERSIONS) {
    const [value, id] = [result[version], result[owner]];
    if (typeof value === "string" && typeof id === "string")
      result[version] = await findConceptVersion(client, id, value);
  }
  return result;
}

async function resolvedText(
  client: Client,
  name: string,
  value: string,
  document: string | undefined,
): Promise<unknown> {
  if (MARKDOWN.includes(name)) return wholeLinks(client, value);
  const find = BY_NAME[name];
  if (find && value !== "") return find(client, value);
  if (name === "knowledge_base_id" && value !== "") return (await findPlace(client, value)).knowledge_base_id;
  if (name === "folder_id" && value !== "") return findFolder(client, value);
  if (name === "parent_id" && value !== "") return (await findPlace(client, value)).folder_id;
  if (name === "file" && value !== "") return findFile(client, document, value);
  if (document === undefined || value === "") return value;
  if (isBlock(name)) return findBlock(client, document, value);
  if (name === "section" && /^\s*(?:block_|<!--@)|^[0-9A-HJKMNP-TV-Z]{8}$/.test(value))
    return findBlock(client, document, value);
  return VERSIONS.includes(name) ? findVersion(client, document, value) : value;
}
