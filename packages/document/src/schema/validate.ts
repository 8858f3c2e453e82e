import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { isRecord } from "../guards.ts";
import { characterCount } from "../read/text.ts";
import type { Body, Node } from "../types.ts";
import { findAttrProblem } from "./attrs.ts";
import { allowsChild, markRules, type NodeType, nodeTypes } from "./nodes.ts";
import { hintOfMark, hintOfNode, hintOfPlace } from "./type-hint.ts";

export type DocumentType = "document" | "spreadsheet";

export interface ValidateOptions {
  /** Levels of nodes allowed; a top-level block is the first. */
  readonly maxDepth?: number;
  /** Code points of text allowed. */
  readonly maxCharacters: number;
  readonly maxNodes?: number;
  readonly documentType?: DocumentType;
  /** How the value is called in `details.path`; for a body its own `content`. */
  readonly path?: string;
}

export const DEFAULT_MAX_DEPTH = 256;
const DEFAULT_MAX_NODES = 500_000;

interface Check {
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly root: (index: number) => string;
  /** The index at each depth of the node being looked at: the path, should it be needed. */
  readonly trail: number[];
  nodes: number;
  /** UTF-16 units seen, never fewer than code points. */
  units: number;
}

/** Checks an untrusted body against the schema. Answers the same value: nothing is copied or taken away. */
export function validateBody(input: unknown, options: ValidateOptions): Body {
  if (!isRecord(input) || input.type !== "doc") throw invalid("type", "is not doc");
  for (const key in input) if (key !== "type" && key !== "content") throw invalid(key, "is not a field of a body");
  if (input.content === undefined) return { type: "doc", content: [] };
  checkBlocks(input, options);
  return input;
}

/** Checks untrusted nodes that are to be put into a body; whether they fit their place is for the edit to say. */
export function validateNodes(input: unknown, options: ValidateOptions): readonly Node[] {
  const path = options.path ?? "nodes";
  if (!Array.isArray(input) || input.length === 0) throw invalid(path, "is not a list of at least one node");
  const check = newCheck(options, (index) => `${path}[${index}]`);
  for (let i = 0; i < input.length; i++) checkNode(check, input[i], 0, i);
  checkSize(check, input, options.maxCharacters);
  return input;
}

/** Checks the untrusted children of a block; unlike `validateNodes` there may be none. */
export function validateContent(input: unknown, options: ValidateOptions): readonly Node[] {
  if (Array.isArray(input) && input.length === 0) return input;
  return validateNodes(input, { path: "content", ...options });
}

export function validateNode(input: unknown, options: ValidateOptions): Node {
  return checkOne(input, options).node;
}

/** Checks an untrusted node that is to stand at the top level of a body. */
export function validateBlock(input: unknown, options: ValidateOptions): Node {
  const { check, node } = checkOne(input, options);
  checkTopLevel(check, node, options.documentType);
  return node;
}

function checkOne(input: unknown, options: ValidateOptions): { readonly check: Check; readonly node: Node } {
  const check = newCheck(options, () => options.path ?? "node");
  checkNode(check, input, 0, 0);
  checkSize(check, [input], options.maxCharacters);
  return { check, node: input };
}

function newCheck(options: ValidateOptions, root: Check["root"]): Check {
  const { maxDepth = DEFAULT_MAX_DEPTH, maxNodes = DEFAULT_MAX_NODES } = options;
  return { maxDepth, maxNodes, root, trail: [], nodes: 0, units: 0 };
}

function checkBlocks(body: object, options: ValidateOptions): asserts body is Body {
  const content: unknown = "content" in body ? body.content : undefined;
  if (!Array.isArray(content)) throw invalid("content", "is not a list");
  const check = newCheck(options, (index) => `${options.path ?? "content"}[${index}]`);
  for (let i = 0; i < content.length; i++) {
    const node: unknown = content[i];
    checkNode(check, node, 0, i);
    checkTopLevel(check, node, options.documentType);
  }
  checkSize(check, content, options.maxCharacters);
}

function checkTopLevel(check: Check, node: Node, documentType?: DocumentType): void {
  if (nodeTypes[node.type]?.kind !== "block") {
    const hint = hintOfPlace(node.type);
    fail(check, 0, "", `${node.type} cannot stand at the top level`, { hint });
  }
  if (documentType === "spreadsheet" && node.type !== "table") fail(check, 0, "", "a spreadsheet holds only tables");
}

/** Checks one node and all below it. Recursion is bounded by `maxDepth`. */
function checkNode(check: Check, input: unknown, depth: number, index: number): asserts input is Node {
  check.trail[depth] = index;
  if (depth >= check.maxDepth) fail(check, depth, "", `is nested deeper than ${check.maxDepth} levels`);
  if (++check.nodes > check.maxNodes) throw tooManyNodes(check);
  if (!isRecord(input)) fail(check, depth, "", "is not a node");
  checkKeys(check, input, depth);
  if (input.type === "text") {
    checkText(check, input, depth);
    return;
  }
  const type = typeof input.type === "string" ? nodeTypes[input.type] : undefined;
  if (type === undefined) {
    const type = shown(input.type);
    fail(check, depth, "", "has an unknown type", { type, ...hintOfNode(input.type) });
  }
  checkAttrs(check, input, depth, type);
  checkMarks(check, input.marks, depth, type.kind === "inline");
  checkContent(check, input, depth, type);
}

function checkKeys(check: Check, node: Record<string, unknown>, depth: number): void {
  for (const key in node) {
    switch (key) {
      case "type":
      case "attrs":
      case "content":
      case "marks":
        break;
      case "text":
        if (node.type !== "text") fail(check, depth, ".text", "belongs to text nodes only");
        break;
      default:
        fail(check, depth, "", "has an unknown field", { field: shown(key), hint: FIELDS });
    }
  }
}

function checkText(check: Check, node: Record<string, unknown>, depth: number): void {
  if (typeof node.text !== "string") fail(check, depth, ".text", "is not a string");
  if (node.content !== undefined) fail(check, depth, ".content", "text has no children");
  check.units += node.text.length;
  if (node.attrs !== undefined) {
    const problem = findAttrProblem(node.attrs, {}, false);
    if (problem) fail(check, depth, `.attrs${problem.at}`, problem.message);
  }
  if (node.marks !== undefined) checkMarks(check, node.marks, depth, true);
}

function checkAttrs(check: Check, node: Record<string, unknown>, depth: number, type: NodeType): void {
  const problem = findAttrProblem(node.attrs, type.attrs, type.kind !== "inline");
  if (problem) fail(check, depth, `.attrs${problem.at}`, problem.message);
}

function checkMarks(check: Check, marks: unknown, depth: number, allowed: boolean): void {
  if (marks === undefined) return;
  if (!Array.isArray(marks)) fail(check, depth, ".marks", "is not a list");
  if (!allowed && marks.length > 0) fail(check, depth, ".marks", "marks belong to text and inline nodes");
  for (let i = 0; i < marks.length; i++) checkMark(check, marks, i, depth);
}

function checkMark(check: Check, marks: readonly unknown[], index: number, depth: number): void {
  const at = `.marks[${index}]`;
  const mark = marks[index];
  if (!isRecord(mark)) fail(check, depth, at, "is not a mark");
  const rules = typeof mark.type === "string" ? markRules.get(mark.type) : undefined;
  if (rules === undefined) {
    const type = shown(mark.type);
    fail(check, depth, at, "has an unknown type", { type, ...hintOfMark(mark.type) });
  }
  for (const key in mark) if (key !== "type" && key !== "attrs") fail(check, depth, at, "has an unknown field");
  for (let i = 0; i < index; i++) {
    const earlier = marks[i];
    if (isRecord(earlier) && earlier.type === mark.type) fail(check, depth, at, "is there twice");
  }
  const problem = findAttrProblem(mark.attrs, rules, false);
  if (problem) fail(check, depth, `${at}.attrs${problem.at}`, problem.message);
}

function checkContent(check: Check, node: Record<string, unknown>, depth: number, type: NodeType): void {
  const content = node.content;
  if (content !== undefined && !Array.isArray(content)) fail(check, depth, ".content", "is not a list");
  if (content === undefined || content.length === 0) {
    if (!type.mayBeEmpty) fail(check, depth, "", `${node.type} cannot be empty`);
    return;
  }
  for (let i = 0; i < content.length; i++) {
    const child: unknown = content[i];
    checkNode(check, child, depth + 1, i);
    if (!allowsChild(type, child.type)) {
      const hint = hintOfPlace(child.type, String(node.type));
      fail(check, depth + 1, "", `${child.type} cannot stand in ${node.type}`, { hint });
    }
    if (type.children === "text" && child.marks?.length) fail(check, depth + 1, ".marks", "code takes no marks");
  }
}

function checkSize(check: Check, nodes: readonly Node[], limit: number): void {
  if (check.units <= limit) return;
  const used = characterCount({ type: "doc", content: nodes });
  if (used > limit) throw tooLarge(limit, used);
}

/** The refusal of a body with more text than allowed, in code points. */
export const tooLarge = (limit: number, used: number): DocumentError =>
  new DocumentError("document_too_large", `The text has ${used} characters, ${limit} are allowed.`, { limit, used });

const tooManyNodes = (check: Check): DocumentError =>
  new DocumentError("document_too_large", `The document has more than ${check.maxNodes} nodes.`, {
    limit: check.maxNodes,
    used: check.nodes,
    unit: "nodes",
  });

const FIELDS = "A node has type, attrs, content and marks; a text node has type, text and marks.";

/** A value of the input, short enough to be shown in an error. */
const shown = (value: unknown): string => (typeof value === "string" ? value.slice(0, 64) : typeof value);

function fail(check: Check, depth: number, at: string, problem: string, more: Record<string, unknown> = {}): never {
  let path = check.root(defined(check.trail[0]));
  for (let i = 1; i <= depth; i++) path += `.content[${check.trail[i]}]`;
  throw invalid(path + at, problem, more);
}

/** The refusal of a body that does not fit the schema, naming the place. */
export const invalid = (path: string, problem: string, more: Record<string, unknown> = {}): DocumentError =>
  new DocumentError("invalid_document", `The document is not valid at ${path}: ${problem}.`, {
    path,
    problem,
    ...more,
  });
