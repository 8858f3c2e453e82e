import type { Client } from "@svc/sdk";
import { isShortId, short } from "../short.ts";
import { oneLine } from "../text.ts";
import { fold } from "./fold.ts";
import { oneOf } from "./one-of.ts";

const idIn = (kind: string, text: string): string | undefined =>
  new RegExp(`\\b${kind}_[0-9A-HJKMNP-TV-Z]{20,}`).exec(text)?.[0];

/** Finds the items of a list whose id ends with the 8 characters shown in answers; none if the text is not such an ending. */
async function endingWith<T>(text: string, list: (ending: string) => Promise<{ readonly data: T[] }>): Promise<T[]> {
  const ending = text.trim().replace(/^[a-z]+_/, "");
  return isShortId(ending) ? (await list(ending)).data : [];
}

/** The whole id if two objects have the same short form. */
const wholeLine = ({ id, name }: { readonly id: string; readonly name: string }): string => `${oneLine(name)} (${id})`;

const KINDS = {
  comment: { prefix: "com", noun: "comment" },
  suggestion: { prefix: "sug", noun: "suggestion" },
  relation: { prefix: "rel", noun: "relation" },
  translation_job: { prefix: "tjob", noun: "translation job" },
} as const;

/** Finds what has no name of its own by its id or the end of it; what is no such ending is left to the service. */
export const findByEnding =
  (kind: keyof typeof KINDS) =>
  async (client: Client, text: string): Promise<string> => {
    const { prefix, noun } = KINDS[kind];
    const id = idIn(prefix, text);
    if (id !== undefined) return id;
    const found = await endingWith(text, (id_ends) => client.get("/ids", { query: { kind, id_ends } }));
    return found.length === 0 ? text.trim() : oneOf(noun, text, found, [], (each) => each.id).id;
  };

/** The concept that a text means: an id, an address with it, a name or another name of it. */
export async function findConcept(client: Client, text: string): Promise<string> {
  const id = idIn("concept", text);
  if (id !== undefined) return id;
  const ended = await endingWith(text, (id_ends) => client.get("/concepts", { query: { id_ends, limit: 10 } }));
  if (ended.length > 0) return oneOf("concept", text, ended, [], wholeLine).id;
  const name = fold(text);
  const { data } = await client.get("/concepts", { query: { q: text.slice(0, 500), limit: 100 } });
  const found = data.filter((concept) => [concept.name, ...concept.aliases].some((each) => fold(each) === name));
  const near = data.length > 0 ? data : (await client.get("/concepts", { query: { limit: 10 } })).data;
  return oneOf("concept", text, found, near, (each) => `${oneLine(each.name)} (${short(each.id)})`).id;
}

/** The candidate that a text means: an id or its name. */
export async function findCandidate(client: Client, text: string): Promise<string> {
  const id = idIn("cand", text);
  if (id !== undefined) return id;
  const ended = await endingWith(text, (id_ends) =>
    client.get("/concept-candidates", { query: { id_ends, limit: 10 } }),
  );
  if (ended.length > 0) return oneOf("candidate", text, ended, [], wholeLine).id;
  const { data } = await client.get("/concept-candidates", { query: { limit: 100 } });
  const found = data.filter((candidate) => fold(candidate.name) === fold(text));
  return oneOf("candidate", text, found, data, (each) => `${oneLine(each.name)} (${short(each.id)}, ${each.status})`)
    .id;
}

/** The entry of the trash that a text means: an id, that of a file, the title or name that it had, or the id that it had. */
export async function findTrash(client: Client, text: string): Promise<string> {
  const id = idIn("trash", text) ?? idIn("att", text);
  if (id !== undefined) return id;
  const { data } = await client.get("/trash", { query: { limit: 100 } });
  const given = text.trim();
  const found = data.filter(
    ({ name, item_id }) => fold(name) === fold(text) || (isShortId(given) && item_id.endsWith(given)),
  );
  return oneOf("deleted thing", text, found, data, (each) => `${oneLine(each.name)} (${each.id}, ${each.kind})`).id;
}
