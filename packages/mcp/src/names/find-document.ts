import type { Client, Document } from "@svc/sdk";
import { isShortId } from "../short.ts";
import { oneLine } from "../text.ts";
import { UsageError } from "../usage-error.ts";
import { fold, namesIn } from "./fold.ts";

const WHOLE_ID = /doc_[0-9A-HJKMNP-TV-Z]{26}/;
const MAX_CANDIDATES = 10;

/** The id that a text means: an id, its last 8 characters, an address, a title, or a path that ends with the title. */
export async function findDocument(client: Client, text: string): Promise<string> {
  const id = WHOLE_ID.exec(text)?.[0];
  if (id !== undefined) return id;
  const given = text.trim().replace(/^<!--@|-->$/g, "");
  if (/^\w+_[0-9A-Z]{20,}$/.test(given)) return given;
  const found = isShortId(given) ? await byEnding(client, given) : [];
  const named = found.length > 0 ? found : await byName(client, given.replace(/#.*$/, "").replace(/\.md$/i, ""));
  if (named.length === 1) return named[0]!.id;
  if (named.length > 1) throw await several(client, given, named);
  throw await none(client, given);
}

const byEnding = async (client: Client, id_ends: string): Promise<Document[]> =>
  (await client.get("/documents", { query: { id_ends, include_variants: true, limit: 10 } })).data;

/** Finds documents with that title; if there are several, those in the named folders. */
async function byName(client: Client, text: string): Promise<Document[]> {
  const whole = await titled(client, text);
  const names = namesIn(text);
  const title = names.pop();
  if (whole.length > 0 || title === undefined || names.length === 0) return whole;
  const found = await titled(client, title);
  if (found.length === 0) return [];
  const paths = await Promise.all(found.slice(0, 50).map(({ id }) => pathOf(client, id)));
  const wanted = names.map(fold);
  return found.filter((_, i) => endsWith(paths[i]?.map(fold) ?? [], wanted));
}

const endsWith = (path: readonly string[], names: readonly string[]): boolean =>
  names.length <= path.length && names.every((name, i) => path[path.length - names.length + i] === name);

async function titled(client: Client, title: string): Promise<Document[]> {
  if (title === "" || title.length > 500) return [];
  const { data } = await client.get("/documents", { query: { q: title, limit: 100 } });
  return data.filter((document) => fold(document.title) === fold(title));
}

/** Names from the knowledge base down to the folder. */
async function pathOf(client: Client, id: string): Promise<string[]> {
  const { data } = await client.get("/documents/{id}/path", { path: { id } });
  return [data.knowledge_base.name, ...data.folders.map(({ name }) => name)];
}

async function candidateLines(client: Client, documents: readonly Document[]): Promise<string> {
  const shown = documents.slice(0, MAX_CANDIDATES);
  const paths = await Promise.all(shown.map(({ id }) => pathOf(client, id)));
  return shown
    .map((each, i) => `- ${oneLine([...paths[i]!, each.title].join(" / "))} (${each.id.slice(-8)})`)
    .join("\n");
}

const several = async (client: Client, text: string, found: readonly Document[]): Promise<UsageError> =>
  new UsageError(
    `**ambiguous_name**: ${found.length} documents are called ${oneLine(text)}.\n${await candidateLines(client, found)}`,
    "repeat with the path, or with the id in brackets.",
  );

/** Titles that have the words, or some of them. */
async function none(client: Client, text: string): Promise<UsageError> {
  const title = namesIn(text).at(-1) ?? text;
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  const found: Document[] = [];
  for (const q of [title, ...words].slice(0, 5)) {
    if (found.length > 0 || q === "" || q.length > 500) continue;
    found.push(...(await client.get("/documents", { query: { q, limit: 10 } })).data);
  }
  const near = found.length === 0 ? "" : ` Near to it:\n${await candidateLines(client, found.slice(0, 5))}`;
  return new UsageError(
    `**not_found**: no document that you can see is called ${oneLine(text)}.${near}`,
    found.length === 0 ? "look for it with search or browse." : "repeat with one of these, or search.",
  );
}
