import { type Client, type KnowledgeBase, listAll } from "@svc/sdk";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { quoted } from "../output.ts";
import { parseAddress } from "./parse-address.ts";

/** By `kb:3`, by its name in whatever case, or by its number. */
export async function findKnowledgeBase(client: Client, text: string): Promise<KnowledgeBase> {
  const address = parseAddress(text);
  if (address.kind === "knowledge_base")
    return (await client.get("/knowledge-bases/{id}", { path: { id: address.id } })).data;
  const name = text.replace(/(?<!\\)\/$/, "").replaceAll("\\/", "/");
  const folded = name.toLowerCase();
  const all = await Array.fromAsync(listAll(client, "/knowledge-bases"));
  const tests: ((one: KnowledgeBase) => boolean)[] = [
    (one) => one.name === name,
    (one) => one.name.toLowerCase() === folded,
    (one) => String(one.id) === name || one.confirm_id === name,
  ];
  const found = tests.map((fits) => all.filter(fits)).find((fitting) => fitting.length > 0) ?? [];
  if (found.length > 1)
    throw ambiguous(
      name,
      found.map(({ id }) => `kb:${id}`),
    );
  if (found[0]) return found[0];
  throw new CommandError(EXIT.notFound, `There is no knowledge base ${JSON.stringify(name)}.`, {
    next: ["svc kb", `svc kb create ${quoted(name)}`],
  });
}

export const ambiguous = (path: string, ids: readonly string[]): CommandError =>
  new CommandError(EXIT.failure, `${JSON.stringify(path)} is ${ids.length} things: ${ids.join(", ")}.`, {
    code: "ambiguous",
    next: ["name one of them by its id"],
    details: { ids },
  });
