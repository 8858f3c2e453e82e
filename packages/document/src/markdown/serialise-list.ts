import { defined } from "../defined.ts";
import type { Node } from "../types.ts";
import { beginsHtmlBlock } from "./rules/html-block.ts";
import { MAX_CONTAINER_LEVEL } from "./rules/nesting.ts";
import { separator } from "./serialise-inline.ts";
import { indent, isEmptyParagraph, writeBlocks } from "./serialise-parts.ts";
import { inBlock, type WriteContext, warn, warnLostAttrs } from "./warning.ts";

/** How the blocks of an item are written. */
export interface BlockWriters {
  readonly writeBlock: (node: Node, ctx: WriteContext) => string;
  readonly writeChildren: (node: Node, ctx: WriteContext, deeper: number) => string;
}

const LARGEST_NUMBER = 999_999_999;

function firstNumber(list: Node, ctx: WriteContext): number {
  const start = list.attrs?.start ?? 1;
  if (typeof start === "number" && Number.isInteger(start) && start >= 0 && start <= LARGEST_NUMBER) return start;
  warn(ctx, "value_replaced", list.type, "A list number that Markdown cannot write was replaced by 1.");
  return 1;
}

const isList = (node: Node): boolean => ["bulletList", "orderedList", "taskList"].includes(node.type);

/** A list may follow a line of text directly only if that line cannot swallow it. */
const mayFollowText = (list: Node): boolean => {
  if (list.type === "orderedList" && (list.attrs?.start ?? 1) !== 1) return false;
  const [item] = list.content ?? [];
  const first = item?.content?.[0];
  return (
    list.type === "taskList" || (first?.type === "paragraph" && !first.attrs?.textAlign && !isEmptyParagraph(first))
  );
};

/** Items of one line of text each, with lists below it, are written without blank lines. */
const isTight = (item: Node): boolean => {
  const [first, second, ...rest] = item.content ?? [];
  if (first?.type !== "paragraph" || first.attrs?.textAlign) return false;
  if (second === undefined) return true;
  return (
    rest.length === 0 && !isEmptyParagraph(first) && isList(second) && mayFollowText(second) && isTightList(second)
  );
};
const isTightList = (list: Node): boolean => list.content?.every(isTight) ?? true;

function writeTightItem(item: Node, ctx: WriteContext, { writeBlock }: BlockWriters): string {
  return (item.content ?? []).map((child) => writeBlock(child, inBlock(ctx, child, 2))).join("\n");
}

/** The text of an item as it stands after its marker. */
function writeItem(item: Node, ctx: WriteContext, writers: BlockWriters): string {
  const { writeChildren } = writers;
  if (item.content?.length === 1 && isEmptyParagraph(item.content[0]!)) return writeChildren(item, ctx, 2);
  if (ctx.level + 4 < MAX_CONTAINER_LEVEL && isTight(item)) return writeTightItem(item, ctx, writers);
  const text = writeChildren(item, ctx, 2);
  if (/^---(?:\n|$)/.test(text)) return `***${text.slice(3)}`;
  // Markers alone in a line would make a rule of it: `- - -`.
  return /^(?:- )*-(?:\n|$)/.test(text) ? `${separator}\n${text}` : text;
}

function writeTask(item: Node, ctx: WriteContext, writers: BlockWriters): string {
  const box = item.attrs?.checked === true ? "[x]" : "[ ]";
  const text = writeItem(item, ctx, writers);
  if (text === "") return box;
  const first = defined(item.content)[0]!;
  if (isEmptyParagraph(first)) return withoutFirst(item, ctx, box, writers);
  // A line set to one side is HTML, which is no block of its own in the line of the box.
  if (first.type === "paragraph" && !beginsHtmlBlock(text)) return `${box} ${text}`;
  return `${box} ${separator}\n\n${text}`;
}

/** A task that begins with an empty paragraph: the box alone in its line. */
function withoutFirst(item: Node, ctx: WriteContext, box: string, { writeBlock }: BlockWriters): string {
  const [first, ...rest] = defined(item.content);
  warnLostAttrs(inBlock(ctx, first!), first!, []);
  return `${box}\n\n${writeBlocks(rest, (child) => writeBlock(child, inBlock(ctx, child, 2))).text}`;
}

/** A bullet, ordered or task list. */
export function writeList(list: Node, ctx: WriteContext, writers: BlockWriters): string {
  const isOrdered = list.type === "orderedList";
  warnLostAttrs(ctx, list, isOrdered ? ["start"] : []);
  const start = isOrdered ? firstNumber(list, ctx) : 0;
  const items = (list.content ?? []).map((item, index) => {
    const itemCtx = inBlock(ctx, item);
    warnLostAttrs(itemCtx, item, item.type === "taskItem" ? ["checked"] : []);
    const marker = isOrdered ? `${Math.min(start + index, LARGEST_NUMBER)}.` : "-";
    const text = item.type === "taskItem" ? writeTask(item, itemCtx, writers) : writeItem(item, itemCtx, writers);
    return text === "" ? marker : `${marker} ${indent(text, marker.length + 1)}`;
  });
  return items.join(isTightList(list) ? "\n" : "\n\n");
}
