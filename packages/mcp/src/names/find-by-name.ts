import type { Client } from "@svc/sdk";
import { isShortId } from "../short.ts";
import { oneLine } from "../text.ts";
import { fold } from "./fold.ts";
import { oneOf } from "./one-of.ts";

const idIn = (kind: string, text: string): string | undefined =>
  new RegExp(`\\b${kind}_[0-9A-HJKMNP-TV-Z]{20,}`).exec(text)?.[0];

/** The concept that a text means: an id, an address with it, a name or another name of it. */
export async function findConcept(client: Client, text: string): Promise<string> {
  const id = idIn("concept", text);
  if (id !== undefined) return id;
  const name = fold(text);
  const { data } = await client.get("/concepts", { query: { q: text.slice(0, 500), limit: 100 } });
  const found = data.filter((concept) => [concept.name, ...concept.aliases].some((each) => fold(each) === name));
  const near = data.length > 0 ? data : (await client.get("/concepts", { query: { limit: 10 } })).data;
  return oneOf("concept", text, found, near, (each) => `${oneLine(each.name)} (${each.id})`).id;
}

/** The candidate that a text means: an id or its name. */
export async function findCandidate(client: Client, text: string): Promise<string> {
  const id = idIn("cand", text);
  if (id !== undefined) return id;
  const { data } = await client.get("/concept-candidates", { query: { limit: 100 } });
  const found = data.filter((candidate) => fold(candidate.name) === fold(text));
  return oneOf("candidate", text, found, data, (each) => `${oneLine(each.name)} (${each.id}, ${each.status})`).id;
}

/** The entry of the trash that a text means: an id, the title or name that it had, or the id that it had. */
export async function findTrash(client: Client, text: string): Promise<string> {
  const id = idIn("trash", text);
  if (id !== undefined) return id;
  const { data } = await client.get("/trash", { query: { limit: 100 } });
  const short = text.trim();
  const found = data.filter(
    ({ name, item_id }) => fold(name) === fold(text) || (isShortId(short) && item_id.endsWith(short)),
  );
  return oneOf("deleted thing", text, found, data, (each) => `${oneLine(each.name)} (${each.id}, ${each.kind})`).id;
}
