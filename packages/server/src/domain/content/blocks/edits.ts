import { insertAt, patchAttrs, removeBlock, replaceBlock, replaceContent } from "@svc/document/blocks/edit";
import { type Position, takenHeading } from "@svc/document/blocks/position";
import { normaliseNodes } from "@svc/document/schema/normalise";
import { validateContent, validateNode, validateNodes } from "@svc/document/schema/validate";
import type { Attrs, Node } from "@svc/document/types";
import type { StoredBody } from "../../../bodies/body.ts";
import type { Config } from "../../../config.ts";
import { invalidRequest, notFound } from "../../../errors.ts";

const options = (current: StoredBody, config: Config, path: string) => ({
  maxCharacters: config.maxDocumentCharacters,
  documentType: current.documentType,
  path,
});

/** Inserts blocks at a position; also returns them with their ids, and the target heading. */
export function insertBlocks(
  current: StoredBody,
  config: Config,
  { position, nodes: sent }: { readonly position: Position; readonly nodes: unknown },
) {
  const context = current.editContext(config);
  const checked = validateNodes(sent, options(current, config, "nodes"));
  const nodes = normaliseNodes(checked, context.newId, context.isTaken);
  const { content: blocks } = insertAt(current.body, position, nodes, context);
  return { nodes, blocks, heading: takenHeading(current.body, position) };
}

interface SentChange {
  readonly node?: unknown;
  readonly attrs?: Record<string, unknown>;
  readonly content?: unknown;
}

/** The single change to make to a block. */
type BlockChange =
  | { readonly attrs: Record<string, unknown> }
  | { readonly node: unknown }
  | { readonly content: unknown };

export function parseChange({ attrs, node, content }: SentChange): BlockChange {
  const given = [attrs && { attrs }, node !== undefined && { node }, content !== undefined && { content }];
  const [change, ...more] = given.filter((one) => !!one);
  if (!change || more.length > 0) throw invalidRequest("body", "must have exactly one of node, attrs, content");
  return change;
}

/** Replaces a block, merges attributes into it, or replaces its children; the block keeps its id. */
export function changeBlock(current: StoredBody, config: Config, id: string, change: BlockChange): readonly Node[] {
  checkThere(current, id);
  const context = current.editContext(config);
  const { body } = current;
  if ("attrs" in change) return patchAttrs(body, id, change.attrs as Attrs, context).content;
  if ("node" in change)
    return replaceBlock(body, id, validateNode(change.node, options(current, config, "node")), context).content;
  return replaceContent(body, id, validateContent(change.content, options(current, config, "content")), context)
    .content;
}

export function deleteBlock(current: StoredBody, config: Config, id: string): readonly Node[] {
  checkThere(current, id);
  return removeBlock(current.body, id, current.editContext(config)).content;
}

/** Responds 404 for an unknown id in the path, unlike one in a position or operation. */
function checkThere(current: StoredBody, id: string): void {
  if (current.positionOf(id) === undefined) throw notFound("block", id);
}
