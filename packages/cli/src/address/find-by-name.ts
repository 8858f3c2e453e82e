import { defined } from "@svc/document/defined";
import { type Client, type ConceptCandidate, listAll } from "@svc/sdk";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { ambiguous } from "./find-knowledge-base.ts";
import { isShortId } from "./whole.ts";

const folded = (text: string): string => text.trim().toLowerCase();

function only(text: string, ids: readonly string[], noun: string, next: string): string {
  if (ids.length > 1) throw ambiguous(text, ids);
  if (ids[0] !== undefined) return ids[0];
  throw new CommandError(EXIT.notFound, `There is no ${noun} ${JSON.stringify(text)}.`, { next: [next] });
}

/** Finds a concept by its id, the end of its id, its URI, its page, its name or an alias. */
export async function conceptId(client: Client, text: string): Promise<string> {
  const id = /concept_[0-9A-Z]{20,}/.exec(text)?.[0];
  if (id !== undefined) return id;
  const ids = isShortId(text.trim()) ? await conceptsEndingWith(client, text.trim()) : [];
  return only(
    text,
    ids.length > 0 ? ids : await conceptsNamed(client, text),
    "concept",
    "svc concepts <kb> lists them",
  );
}

const conceptsEndingWith = async (client: Client, id_ends: string): Promise<string[]> =>
  (await client.get("/concepts", { query: { id_ends } })).data.map(({ id }) => id);

async function conceptsNamed(client: Client, text: string): Promise<string[]> {
  const { data } = await client.get("/concepts", { query: { q: text, limit: 100 } });
  const isMeant = (name: string): boolean => folded(name) === folded(text);
  return data.filter(({ name, aliases }) => [name, ...aliases].some(isMeant)).map(({ id }) => id);
}

/** Finds a candidate in one of these states by its id, the end of its id, or its name. */
export async function findCandidate(
  client: Client,
  text: string,
  status: ConceptCandidate["status"],
): Promise<ConceptCandidate> {
  const given = text.trim();
  const ending = /^cand_[0-9A-Z]{18}([0-9A-Z]{8})$/.exec(given)?.[1] ?? given;
  const ended = isShortId(ending) ? (await client.get("/concept-candidates", { query: { id_ends: ending } })).data : [];
  const known = ended.filter(({ id }) => id.endsWith(given));
  const found = known.length > 0 ? known : await candidatesNamed(client, given, status);
  const ids = found.map(({ id }) => id);
  const id = only(text, ids, "candidate", "svc concepts candidates <kb>");
  return defined(found.find((each) => each.id === id));
}

async function candidatesNamed(client: Client, name: string, status: ConceptCandidate["status"]) {
  const all = await Array.fromAsync(listAll(client, "/concept-candidates", { query: { status } }));
  return all.filter((each) => folded(each.name) === folded(name));
}

/** Finds trash entries by their own id, or by the name or id of the deleted item. */
export async function trashId(client: Client, text: string): Promise<string> {
  if (/^trash_[0-9A-Z]{20,}$/.test(text.trim())) return text.trim();
  const all = await Array.fromAsync(listAll(client, "/trash"));
  const found = all.filter(({ name, item_id }) => folded(name) === folded(text) || item_id === text.trim());
  const ids = found.map((entry) => entry.id);
  return only(text, ids, "deleted document or folder", "svc trash");
}
