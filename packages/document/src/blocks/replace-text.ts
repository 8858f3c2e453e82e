import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { characterCount, codePoints } from "../read/text.ts";
import { isBody, mapShared, withBlocks, withContent } from "../schema/node.ts";
import { joinText } from "../schema/normalise.ts";
import { tooLarge } from "../schema/validate.ts";
import type { Body, Node } from "../types.ts";
import { badRequest, type EditContext, getBlock } from "./context.ts";
import { childBlocks } from "./find.ts";
import { findAll } from "./find-all.ts";
import { replaceAt } from "./splice.ts";

interface TextReplacement {
  /** The block to look in, with all below it; the whole body when absent. */
  readonly block_id?: string;
  readonly old: string;
  readonly new: string;
  /** Refuse unless exactly this many places match. When absent, any number but none. */
  readonly expected_count?: number;
}

/**
 * Replaces text literally wherever it occurs. A place may run across marks within a line (it takes the marks of its
 * first character) but not across blocks, line breaks, pictures or formulas. Places do not overlap; the leftmost wins.
 * `count` is how many there were.
 */
export function replaceText(
  body: Body,
  edit: TextReplacement,
  context: EditContext,
): { readonly body: Body; readonly count: number } {
  if (edit.old === "") throw badRequest("old", "must not be empty");
  const found = edit.block_id === undefined ? undefined : getBlock(body, edit.block_id, context);
  const scope = found?.node ?? body;
  const count = countIn(scope, edit.old);
  checkCount(count, edit);
  checkGrowth(body, count, edit, context.maxCharacters);
  if (count === 0 || edit.old === edit.new) return { body, count };
  if (found) return { body: replaceAt(body, found.path, replaceIn(found.node, edit)), count };
  const blocks = mapShared(body.content, (node) => replaceIn(node, edit));
  return { body: withBlocks(body, blocks), count };
}

function countIn(node: Node | Body, old: string): number {
  const blocks = isBody(node) ? node.content : childBlocks(node);
  let count = 0;
  for (const child of blocks) count += countIn(child, old);
  if (blocks.length === 0) for (const run of textRuns(node.content ?? [])) count += findAll(runText(run), old).length;
  return count;
}

function checkCount(count: number, edit: TextReplacement): void {
  if (edit.expected_count === undefined ? count > 0 : count === edit.expected_count) return;
  const wanted = edit.expected_count ?? "at least 1";
  throw new DocumentError("invalid_request", `The text occurs ${count} times, not ${wanted}.`, {
    issues: [{ path: "old", message: `occurs ${count} times, not ${wanted}` }],
    expected_count: edit.expected_count ?? null,
    actual_count: count,
  });
}

/** Before anything is built: a short text that occurs often, replaced by a long one, could fill the memory. */
function checkGrowth(body: Body, count: number, edit: TextReplacement, limit: number | undefined): void {
  const growth = count * (codePoints(edit.new) - codePoints(edit.old));
  if (limit === undefined || growth <= 0) return;
  const used = characterCount(body) + growth;
  if (used > limit) throw tooLarge(limit, used);
}

function replaceIn(node: Node, edit: TextReplacement): Node {
  if (node.content === undefined) return node;
  const content =
    childBlocks(node).length > 0
      ? mapShared(node.content, (child) => replaceIn(child, edit))
      : replaceInLine(node.content, edit);
  return content === node.content ? node : withContent(node, content);
}

function replaceInLine(line: readonly Node[], edit: TextReplacement): readonly Node[] {
  const runs = textRuns(line);
  if (!runs.some((run) => runText(run).includes(edit.old))) return line;
  return joinText(runs.flatMap((run) => replaceInRun(run, edit)));
}

type Run = readonly Node[];

/** Cuts a line into runs of adjacent text; any other inline node is a run of its own. */
function textRuns(line: readonly Node[]): Run[] {
  const runs: Node[][] = [];
  let previous: string | undefined;
  for (const node of line) {
    if (node.type === "text" && previous === "text") defined(runs.at(-1)).push(node);
    else runs.push([node]);
    previous = node.type;
  }
  return runs;
}

function runText(run: Run): string {
  let text = "";
  for (const node of run) text += node.text ?? "";
  return text;
}

function replaceInRun(run: Run, edit: TextReplacement): Run {
  const text = runText(run);
  const places = findAll(text, edit.old);
  if (places.length === 0) return run;
  const pieces = slicer(run);
  const result: Node[] = [];
  let at = 0;
  for (const place of places) {
    pieces.copyTo(place, result);
    result.push({ ...pieces.current(), text: edit.new });
    at = place + edit.old.length;
    pieces.skipTo(at);
  }
  pieces.copyTo(text.length, result);
  return result;
}

/** Reads a run from left to right by offsets into its whole text, in one pass. */
function slicer(run: Run) {
  let index = 0;
  let start = 0;
  let at = 0;
  const end = () => start + defined(defined(run[index]).text).length;
  const settle = () => {
    while (index < run.length - 1 && end() <= at) {
      start = end();
      index++;
    }
  };
  const skipTo = (offset: number): void => {
    at = offset;
    settle();
  };
  return {
    skipTo,
    /** The node that the next character belongs to. */
    current: (): Node => defined(run[index]),
    /** Adds the text before an offset to a list, each piece with its node's marks. */
    copyTo(offset: number, pieces: Node[]): void {
      while (at < offset) {
        const node = defined(run[index]);
        const stop = Math.min(offset, end());
        pieces.push({ ...node, text: defined(node.text).slice(at - start, stop - start) });
        skipTo(stop);
      }
    },
  };
}
