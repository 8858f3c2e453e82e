import type { Command } from "commander";
import { type FolderPlace, type KnowledgeBasePlace, resolvePlace } from "../address/resolve.ts";
import { nameOf, type TreeItem } from "../address/walk-tree.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions {
  readonly depth?: number;
  readonly ids?: boolean;
}

async function run(address: string, options: Options): Promise<void> {
  const place = await resolvePlace(connect(options), address, "knowledge_base", "folder");
  const { top, name, items } = topOf(place);
  const { depth = Number.POSITIVE_INFINITY, ids } = options;
  print(options, { ...top, children: cut(items, depth) }, [name, ...branches(items, depth, ids === true, "")]);
}

const topOf = (place: KnowledgeBasePlace | FolderPlace) =>
  place.kind === "knowledge_base"
    ? { top: { knowledge_base: place.knowledgeBase }, name: place.knowledgeBase.name, items: place.items }
    : { top: { folder: withoutChildren(place.folder) }, name: place.folder.name, items: place.folder.children };

const withoutChildren = <T extends object>({ children: _, ...rest }: T & { children: unknown }) => rest;

/** The items down to a depth; a folder that is not looked into has no `children`. */
const cut = (items: readonly TreeItem[], depth: number): object[] =>
  items.map((item) => {
    if (item.type === "document") return item;
    return depth > 1 ? { ...item, children: cut(item.children, depth - 1) } : withoutChildren(item);
  });

const shownId = (item: TreeItem): string => (item.type === "folder" ? `folder:${item.id}` : item.id);

function branches(items: readonly TreeItem[], depth: number, ids: boolean, lead: string): string[] {
  return items.flatMap((item, index) => {
    const last = index === items.length - 1;
    const name = `${nameOf(item)}${item.type === "folder" ? "/" : ""}${ids ? `  ${shownId(item)}` : ""}`;
    const line = `${lead}${last ? "└── " : "├── "}${name}`;
    if (item.type === "document" || depth <= 1) return [line];
    return [line, ...branches(item.children, depth - 1, ids, `${lead}${last ? "    " : "│   "}`)];
  });
}

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "a knowledge base or a folder")
    .option("--depth <levels>", "how deep to look", wholeNumber(1))
    .option("--ids", "show ids too")
    .action(run);
}
