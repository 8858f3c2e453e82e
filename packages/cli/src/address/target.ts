import type { Client } from "@svc/sdk";
import { CommandError, usage } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { quoted } from "../output.ts";
import { ambiguous } from "./find-knowledge-base.ts";
import { meansFolder, parsePath, showPath } from "./path-text.ts";
import { type Container, childrenOf, findRoot } from "./resolve.ts";
import { named, type TreeFolder, type TreeItem } from "./walk-tree.ts";

/** A folder or knowledge base that can receive an item. */
export interface Location {
  readonly knowledge_base_id: number;
  /** null is the top of the knowledge base. */
  readonly folder_id: number | null;
}

interface Target extends Location {
  readonly name: string;
  /** The existing item of that name. */
  readonly existing: readonly TreeItem[];
}

export const locationOf = (place: Container): Location => ({
  knowledge_base_id: place.knowledgeBase.id,
  folder_id: place.kind === "folder" ? place.folder.id : null,
});

/** Returns the parent folder and the name of a new `kb/folder/name`. With `parents`, missing folders are created. */
export async function resolveTarget(client: Client, text: string, parents = false): Promise<Target> {
  const [first, ...names] = parsePath(text);
  const name = names.pop();
  if (first === undefined || name === undefined)
    throw usage(`${JSON.stringify(text)} is not a path of a knowledge base and a name, such as Handbook/Hello.`);
  const root = await findRoot(client, first);
  let { location, items } = { location: locationOf(root), items: childrenOf(root) };
  for (const [index, step] of names.entries()) {
    const before = showPath([first, ...names.slice(0, index)]);
    const folder = findFolder(items, step, before) ?? (await makeFolder(client, location, step, before, parents));
    location = { ...location, folder_id: folder.id };
    items = folder.children;
  }
  return { ...location, name, existing: named(items, name) };
}

/** Does the same for a document; rejects a slash at the end, which would name a folder. */
export function resolveDocumentTarget(client: Client, text: string, parents = false): Promise<Target> {
  if (meansFolder(text))
    throw usage(`${text} names a folder, and a document needs a name of its own.`, `svc mkdir ${quoted(text)}`);
  return resolveTarget(client, text, parents);
}

function findFolder(items: readonly TreeItem[], step: string, before: string): TreeFolder | undefined {
  const folders = named(
    items.filter((item) => item.type === "folder"),
    step,
  );
  if (folders.length > 1)
    throw ambiguous(
      `${before}/${step}`,
      folders.map(({ id }) => `folder:${id}`),
    );
  return folders[0];
}

async function makeFolder(
  client: Client,
  { knowledge_base_id, folder_id }: Location,
  name: string,
  before: string,
  parents: boolean,
): Promise<TreeFolder> {
  if (!parents)
    throw new CommandError(EXIT.notFound, `There is no folder ${JSON.stringify(name)} in ${JSON.stringify(before)}.`, {
      next: [`svc mkdir ${quoted(`${before}/${showPath([name])}`)}`, "or add --parents to make it on the way"],
    });
  const { data } = await client.post("/folders", { body: { name, knowledge_base_id, parent_id: folder_id } });
  return { ...data, type: "folder", children: [] };
}
