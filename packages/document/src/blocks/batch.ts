import { appendMarkdown } from "../edit-markdown/append-markdown.ts";
import type { MarkdownContext } from "../edit-markdown/context.ts";
import { editMarkdown } from "../edit-markdown/edit-markdown.ts";
import { DocumentError } from "../errors.ts";
import { isRecord, isSafeInteger } from "../guards.ts";
import { characterCount } from "../read/text.ts";
import { idsOf } from "../schema/node.ts";
import { type DocumentType, tooLarge, validateNode, validateNodes } from "../schema/validate.ts";
import type { Attrs, Body, NewId } from "../types.ts";
import { createBlockIndex } from "./block-index.ts";
import { badRequest } from "./context.ts";
import { insertNodes, moveBlock, patchAttrs, removeBlock, replaceBlock } from "./edit.ts";
import { type Position, parsePosition, type TakenHeading, takenHeading } from "./position.ts";
import { replaceText } from "./replace-text.ts";

interface BatchOptions {
  readonly maxCharacters: number;
  readonly maxDepth?: number;
  readonly documentType?: DocumentType;
  readonly writeMarkdown?: MarkdownContext["writeMarkdown"];
}

/** The result of one operation. */
type BatchResult =
  | { readonly op: "insert"; readonly block_ids: readonly string[] }
  | { readonly op: "delete" | "replace" | "move" | "set_attrs"; readonly block_id: string }
  | { readonly op: "replace_text"; readonly block_id: string | null; readonly count: number }
  | { readonly op: "edit_markdown"; readonly count: number }
  | { readonly op: "append_markdown"; readonly block_ids: readonly string[] };

export interface AppliedBatch {
  readonly body: Body;
  readonly results: readonly BatchResult[];
  /** By operation: the heading that its `after_heading` took, null without one. */
  readonly positions: readonly (TakenHeading | null)[];
}

/** An operation of the right form, to be applied to what the earlier ones made of the body. */
export type BatchOperation = (body: Body, context: Context) => Step;

/**
 * Checks the form of operations, which are untrusted: what can be told without a body. The first that is wrong is thrown
 * with `details.operation_index`.
 */
export const parseOperations = (operations: unknown, most = 100): readonly BatchOperation[] =>
  checkList(operations, most).map((input, i) => atIndex(i, () => parseOperation(input, `operations[${i}]`)));

/**
 * Applies operations in order, each to what the earlier ones made of the body; all of them or none. The first that
 * cannot be done is thrown as its own error with `details.operation_index`.
 */
export function applyBatch(
  body: Body,
  operations: readonly BatchOperation[],
  newId: NewId,
  options: BatchOptions,
): AppliedBatch {
  const index = operations.length > FEW_OPERATIONS ? createBlockIndex(body) : undefined;
  const budget = { characters: 0 };
  const context: Context = { newId, ...options, budget, locate: index?.locate, isTaken: index?.has };
  const results: BatchResult[] = [];
  const positions: (TakenHeading | null)[] = [];
  let current = body;
  for (const [i, operation] of operations.entries()) {
    const step = atIndex(i, () => operation(current, context));
    positions.push(step.position ? takenHeading(current, step.position) : null);
    index?.follow(current, step.body);
    current = step.body;
    results.push(step.result);
  }
  if (current !== body) checkSize(current, options.maxCharacters);
  return { body: current, results, positions };
}

/** Up to this many operations, walking the body for each costs less than an index of all blocks. */
const FEW_OPERATIONS = 3;

type Context = MarkdownContext;
type Operation = Readonly<Record<string, unknown>>;
type Step = { readonly body: Body; readonly result: BatchResult; readonly position?: Position };

function checkList(operations: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(operations) || operations.length === 0)
    throw badRequest("operations", "must be a list of at least one");
  if (operations.length > most) throw badRequest("operations", `must be at most ${most}`);
  return operations;
}

function checkSize(body: Body, limit: number): void {
  const used = characterCount(body);
  if (used > limit) throw tooLarge(limit, used);
}

function atIndex<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DocumentError(error.code, error.message, { ...error.details, operation_index: index });
  }
}

interface OperationKind {
  readonly fields: readonly string[];
  readonly parse: (operation: Operation, path: string) => BatchOperation;
}

const kinds: ReadonlyMap<unknown, OperationKind> = new Map(
  Object.entries({
    insert: { fields: ["position", "nodes"], parse: parseInsert },
    delete: { fields: ["block_id"], parse: parseDelete },
    replace: { fields: ["block_id", "node"], parse: parseReplace },
    move: { fields: ["block_id", "position"], parse: parseMove },
    set_attrs: { fields: ["block_id", "attrs"], parse: parseSetAttrs },
    replace_text: { fields: ["block_id", "old", "new", "expected_count"], parse: parseReplaceText },
    edit_markdown: { fields: ["old", "new", "section", "occurrence"], parse: parseEditMarkdown },
    append_markdown: { fields: ["markdown", "section"], parse: parseAppendMarkdown },
  }),
);

function parseOperation(input: unknown, path: string): BatchOperation {
  if (!isRecord(input)) throw badRequest(path, "is not an object");
  const kind = kinds.get(input.op);
  if (kind === undefined) throw badRequest(`${path}.op`, `must be one of ${[...kinds.keys()].join(", ")}`);
  for (const field of Object.keys(input))
    if (field !== "op" && !kind.fields.includes(field))
      throw badRequest(`${path}.${field.slice(0, 64)}`, "is not a known field", ["op", ...kind.fields]);
  return kind.parse(input, path);
}

function parseInsert(operation: Operation, path: string): BatchOperation {
  const position = parsePosition(operation.position, `${path}.position`);
  const sent = operation.nodes;
  if (!Array.isArray(sent) || sent.length === 0) throw badRequest(`${path}.nodes`, "must be a list of at least one");
  return (body, context) => {
    const checked = validateNodes(sent, { ...context, path: `${path}.nodes` });
    const { body: after, nodes } = insertNodes(body, position, checked, context);
    return { body: after, result: { op: "insert", block_ids: idsOf(nodes) }, position };
  };
}

function parseDelete(operation: Operation, path: string): BatchOperation {
  const id = blockIdOf(operation, path);
  return (body, context) => ({ body: removeBlock(body, id, context), result: { op: "delete", block_id: id } });
}

function parseReplace(operation: Operation, path: string): BatchOperation {
  const id = blockIdOf(operation, path);
  const sent = operation.node;
  if (!isRecord(sent)) throw badRequest(`${path}.node`, "is not an object");
  return (body, context) => {
    const node = validateNode(sent, { ...context, path: `${path}.node` });
    return { body: replaceBlock(body, id, node, context), result: { op: "replace", block_id: id } };
  };
}

function parseMove(operation: Operation, path: string): BatchOperation {
  const id = blockIdOf(operation, path);
  const position = parsePosition(operation.position, `${path}.position`);
  return (body, context) => ({
    body: moveBlock(body, id, position, context),
    result: { op: "move", block_id: id },
    position,
  });
}

function parseSetAttrs(operation: Operation, path: string): BatchOperation {
  const id = blockIdOf(operation, path);
  const attrs = operation.attrs;
  if (!isRecord(attrs)) throw badRequest(`${path}.attrs`, "is not an object");
  return (body, context) => ({
    body: patchAttrs(body, id, attrs as Attrs, context),
    result: { op: "set_attrs", block_id: id },
  });
}

function parseReplaceText(operation: Operation, path: string): BatchOperation {
  const id = operation.block_id === undefined ? undefined : blockIdOf(operation, path);
  const old = text(operation, "old", path);
  if (old === "") throw badRequest(`${path}.old`, "must not be empty");
  const expected = operation.expected_count;
  if (expected !== undefined && !(isSafeInteger(expected) && expected >= 0))
    throw badRequest(`${path}.expected_count`, "must be a whole number");
  const edit = { block_id: id, old, new: text(operation, "new", path), expected_count: expected };
  return (body, context) => {
    const replaced = replaceText(body, edit, context);
    return { body: replaced.body, result: { op: "replace_text", block_id: id ?? null, count: replaced.count } };
  };
}

function parseEditMarkdown(operation: Operation, path: string): BatchOperation {
  const { occurrence } = operation;
  if (occurrence !== undefined && occurrence !== "all" && !(isSafeInteger(occurrence) && occurrence >= 1))
    throw badRequest(`${path}.occurrence`, 'must be a whole number from 1, or "all"');
  const edit = {
    old: text(operation, "old", path),
    new: text(operation, "new", path),
    section: sectionIn(operation, path),
    occurrence,
  } as const;
  return (body, context) => {
    const edited = editMarkdown(body, edit, context);
    return { body: edited.body, result: { op: "edit_markdown", count: edited.count } };
  };
}

function parseAppendMarkdown(operation: Operation, path: string): BatchOperation {
  const edit = { markdown: text(operation, "markdown", path), section: sectionIn(operation, path) };
  return (body, context) => {
    const appended = appendMarkdown(body, edit, context);
    return { body: appended.body, result: { op: "append_markdown", block_ids: appended.block_ids } };
  };
}

function sectionIn(operation: Operation, path: string): string | undefined {
  if (operation.section === undefined) return undefined;
  const section = text(operation, "section", path);
  if (!/[^\s#\u0085]/u.test(section)) throw badRequest(`${path}.section`, "must have a visible character");
  return section;
}

function blockIdOf(operation: Operation, path: string): string {
  const id = text(operation, "block_id", path);
  if (id === "") throw badRequest(`${path}.block_id`, "must not be empty");
  return id;
}

function text(operation: Operation, field: string, path: string): string {
  const value = operation[field];
  if (typeof value !== "string") throw badRequest(`${path}.${field}`, "must be a string");
  return value;
}
