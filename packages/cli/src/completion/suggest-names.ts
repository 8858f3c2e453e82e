import { type Client, createClient, listAll } from "@svc/sdk";
import { parsePath, showPath } from "../address/path-text.ts";
import { childrenOf, findRoot, resolvePlace } from "../address/resolve.ts";
import { nameOf, type TreeItem } from "../address/walk-tree.ts";
import { readCredentials } from "../credentials.ts";
import { findSession } from "../session.ts";
import type { Suggestion } from "./suggestion.ts";

/** Short, because the person waits for the completion. */
const TIMEOUT_MS = 3_000;

/** Suggests values for an argument or option of this name. Without a server it suggests nothing and reports no error. */
export async function suggestNames(name: string, current: string): Promise<readonly Suggestion[]> {
  try {
    if (name === "profile") return profiles();
    if (name === "kb") return await knowledgeBases(quickClient(), "");
    if (["document", "place", "to"].includes(name)) return await paths(quickClient(), current);
  } catch {
    // The person is not signed in, or the server does not answer.
  }
  return [];
}

const profiles = (): Suggestion[] =>
  Object.entries(readCredentials().profiles).map(([value, { url }]) => ({ value, meaning: url }));

function quickClient(): Client {
  const { url, token } = findSession({});
  return createClient({ baseUrl: url, token, timeoutMs: TIMEOUT_MS, retry: { attempts: 1 } });
}

async function knowledgeBases(client: Client, end: string): Promise<Suggestion[]> {
  const all = await Array.fromAsync(listAll(client, "/knowledge-bases"));
  return all.map(({ name }) => ({ value: showPath([name]) + end }));
}

/** Suggests the next segment of a path. Folders end with a slash, so that another Tab continues inside them. */
async function paths(client: Client, current: string): Promise<Suggestion[]> {
  const cut = current.search(/(?<!\\)\/[^/]*$/);
  if (cut < 0) return knowledgeBases(client, "/");
  const before = current.slice(0, cut);
  const items = await itemsAt(client, before);
  return items.map((item) => ({
    value: `${before}/${showPath([nameOf(item)])}${item.type === "folder" ? "/" : ""}`,
  }));
}

async function itemsAt(client: Client, path: string): Promise<readonly TreeItem[]> {
  const names = parsePath(path);
  return childrenOf(names.length === 1 ? await findRoot(client, path) : await resolvePlace(client, path, "folder"));
}
