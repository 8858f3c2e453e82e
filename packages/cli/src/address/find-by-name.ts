import { type Client, listAll } from "@svc/sdk";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { ambiguous } from "./find-knowledge-base.ts";

const folded = (text: string): string => text.trim().toLowerCase();

function only(text: string, ids: readonly string[], noun: string, next: string): string {
  if (ids.length > 1) throw ambiguous(text, ids);
  if (ids[0] !== undefined) return ids[0];
  throw new CommandError(EXIT.notFound, `There is no ${noun} ${JSON.stringify(text)}.`, { next: [next] });
}

/** A concept by its id, its URI, its page, its name or another name of it. */
export async function conceptId(client: Client, text: string): Promise<string> {
  const id = /concept_[0-9A-Z]{20,}/.exec(text)?.[0];
  if (id !== undefined) return id;
  const { data } = await client.get("/concepts", { query: { q: text, limit: 100 } });
  const found = data.filter(({ name, aliases }) => [name, ...aliases].some((each) => folded(each) === folded(text)));
  const ids = found.map((concept) => concept.id);
  return only(text, ids, "concept", "svc concepts <kb> lists them");
}

/** What is in the trash by the entry's id, or by the name or id that the thing had. */
export async function trashId(client: Client, text: string): Promise<string> {
  if (/^trash_[0-9A-Z]{20,}$/.test(text.trim())) return text.trim();
  const all = await Array.fromAsync(listAll(client, "/trash"));
  const found = all.filter(({ name, item_id }) => folded(name) === folded(text) || item_id === text.trim());
  const ids = found.map((entry) => entry.id);
  return only(text, ids, "deleted document or folder", "svc trash");
}
