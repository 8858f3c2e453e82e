import { readAnchoredBlocks } from "@svc/document/markdown/parse-blocks";
import { tokenize } from "@svc/document/markdown/tokenizer";
import type { Node, Operation, Position } from "@svc/sdk";
import { UsageError } from "./usage-error.ts";

/** Max characters of Markdown per call, because it is parsed in this thread. Larger rewrites use write_document. */
export const MAX_CHARACTERS = 200_000;

type Place = Readonly<Partial<Record<"document_start" | "document_end", true>>> & Readonly<Record<string, unknown>>;

/** An edit in Markdown, as an agent writes it. */
type Edit =
  | { readonly op: "insert"; readonly position: Place; readonly markdown: string }
  | { readonly op: "replace"; readonly block_id: string; readonly markdown: string }
  | { readonly op: "delete" | "move" | "set_attrs" | "replace_text" };

/** Converts edits to the API's operations, with blocks instead of Markdown. */
export function toOperations(edits: readonly Edit[]): Operation[] {
  const characters = edits.reduce((sum, edit) => sum + ("markdown" in edit ? edit.markdown.length : 0), 0);
  if (characters > MAX_CHARACTERS)
    throw new UsageError(
      `The operations bring ${characters} characters of Markdown, and ${MAX_CHARACTERS} are allowed in one call.`,
      "Spread them over several calls, or use write_document.",
    );
  const operations = edits.flatMap(operationsOf);
  if (operations.length <= 100) return operations;
  throw new UsageError(
    `The operations come to ${operations.length} with the blocks that follow replaced ones, and 100 are allowed.`,
    "Spread them over several calls.",
  );
}

function operationsOf(edit: Edit, index: number): Operation[] {
  if (edit.op === "insert")
    return [{ op: "insert", position: edit.position as Position, nodes: blocksOf(edit.markdown, index) }];
  if (edit.op !== "replace") return [edit as Operation];
  const { block_id } = edit;
  const [node, ...rest] = blocksOf(edit.markdown, index);
  const replace: Operation = { op: "replace", block_id, node };
  if (rest.length === 0) return [replace];
  return [replace, { op: "insert", position: { after_block_id: block_id }, nodes: rest }];
}

/** Parses Markdown to blocks and ignores anchors in copied text. */
function blocksOf(markdown: string, index: number): [Node, ...Node[]] {
  const blocks: Node[] = [];
  readAnchoredBlocks(tokenize(markdown), (block) => blocks.push(block));
  const [first, ...rest] = blocks;
  if (first === undefined)
    throw new UsageError(`operations.${index}: the Markdown has no block in it.`, "Use op delete to remove a block.");
  return [first, ...rest];
}
