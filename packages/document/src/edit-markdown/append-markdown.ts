import { badRequest } from "../blocks/context.ts";
import { blockIds, childBlocks } from "../blocks/find.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { blockId, idsOf } from "../schema/node.ts";
import type { Body, Node } from "../types.ts";
import { type MarkdownContext, spend, withoutAnchors, withPlainLineEnds, writerOf } from "./context.ts";
import { putBlocks } from "./edit-markdown.ts";
import { joinLists } from "./join-lists.ts";
import { keepIds } from "./keep-ids.ts";
import { sectionOf, wholeBody } from "./section.ts";
import { withRows } from "./table-rows.ts";

/**
 * Adds Markdown at the end of the body, or of a section's own text, before the sections inside of it. Rows alone behind
 * a table become rows of it.
 */
export function appendMarkdown(
  body: Body,
  { markdown, section }: { readonly markdown: string; readonly section?: string | undefined },
  context: MarkdownContext,
): { readonly body: Body; readonly block_ids: readonly string[] } {
  spend(context, markdown.length);
  const text = withoutAnchors(withPlainLineEnds(markdown));
  const { ownEnd } = section === undefined ? wholeBody(body) : sectionOf(body, section);
  const before = body.content.slice(Math.max(0, ownEnd - 1), ownEnd + 1);
  const result = addRows(body, ownEnd, text, context) ?? addBlocks(body, ownEnd, text, context);
  const end = result.content.length - (body.content.length - ownEnd) + 1;
  const stored = blockIds(before);
  const around = result.content.slice(Math.max(0, ownEnd - 1), end);
  return { body: result, block_ids: around.flatMap((block) => newIds(block, stored)) };
}

function addBlocks(body: Body, at: number, text: string, context: MarkdownContext): Body {
  const read = parseMarkdown(text);
  if (read.length === 0) throw badRequest("markdown", "has no block in it");
  const { nodes, takesBefore, takesAfter } = joinLists(body.content[at - 1], read, body.content[at]);
  const from = takesBefore ? at - 1 : at;
  return putBlocks(body, from, body.content.slice(from, takesAfter ? at + 1 : at), nodes, context);
}

function addRows(body: Body, at: number, text: string, context: MarkdownContext): Body | undefined {
  const table = body.content[at - 1];
  const longer = withRows(table, text, writerOf(context));
  if (!table || !longer) return undefined;
  const [grown, ...more] = parseMarkdown(longer.text);
  if (!grown || more.length > 0 || grown.content?.length !== (table.content?.length ?? 0) + longer.count)
    return undefined;
  return putBlocks(body, at - 1, [table], keepIds([grown], [table], writerOf(context)), context);
}

/** The block itself if it is new, or else the parts of it that are. */
const newIds = (block: Node, before: ReadonlySet<string>): string[] =>
  before.has(blockId(block) ?? "") ? childBlocks(block).flatMap((part) => newIds(part, before)) : idsOf([block]);
