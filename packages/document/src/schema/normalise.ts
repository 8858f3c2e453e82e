import { sameJson } from "../canonical.ts";
import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import type { Attrs, Body, Json, Mark, NewId, Node } from "../types.ts";
import { mapShared, withAttrs, withBlocks, withContent } from "./node.ts";
import { hasBlockId } from "./nodes.ts";

/** Whether an id is in use by a block other than those being normalised. */
export type IsTaken = (id: string) => boolean;

interface State {
  readonly newId: NewId;
  readonly isTaken: IsTaken;
  readonly seen: Set<string>;
}

/**
 * Brings a valid body into the form that is stored: every block has an id, a picture's or file's `src` follows its
 * `attachmentId`, adjacent text with equal marks is one node, empty text is gone. What needs no change is shared with
 * the input, down to the body itself. Marks keep the order they were sent in; only marks that are equal in that order
 * are joined.
 */
export function normaliseBody(body: Body, newId: NewId): Body {
  return withBlocks(body, normaliseNodes(body.content, newId));
}

/** The same for a list of siblings; `isTaken` says whether another block of the document has an id. */
export function normaliseNodes(nodes: readonly Node[], newId: NewId, isTaken: IsTaken = () => false): readonly Node[] {
  return normaliseSiblings(nodes, { newId, isTaken, seen: new Set() });
}

function normaliseSiblings(nodes: readonly Node[], state: State): readonly Node[] {
  return joinText(mapShared(nodes, (node) => normaliseNode(node, state)));
}

function normaliseNode(node: Node, state: State): Node {
  if (node.type === "text") return node;
  const attrs = normaliseAttrs(node, state);
  const kept = attrs === node.attrs ? node : withAttrs(node, defined(attrs));
  if (node.content === undefined) return kept;
  const content = normaliseSiblings(node.content, state);
  return content === node.content ? kept : withContent(kept, content);
}

function normaliseAttrs(node: Node, state: State): Attrs | undefined {
  const attrs = attachedTypes.has(node.type) ? withSource(node.attrs) : node.attrs;
  if (!hasBlockId(node.type)) return attrs;
  const id = attrs?.id;
  if (typeof id !== "string") return { ...attrs, id: freshId(state) };
  if (state.seen.has(id) || state.isTaken(id)) throw duplicateId(id);
  state.seen.add(id);
  return attrs;
}

function freshId(state: State): string {
  const id = state.newId();
  state.seen.add(id);
  return id;
}

const attachedTypes: ReadonlySet<string> = new Set(["image", "inlineImage", "attachment"]);

function withSource(attrs: Attrs | undefined): Attrs | undefined {
  const id: Json | undefined = attrs?.attachmentId;
  if (typeof id !== "string" || id === "") return attrs;
  const src = `/api/v1/attachments/${encodeURIComponent(id.toWellFormed())}`;
  return attrs?.src === src ? attrs : { ...attrs, src };
}

/** Joins adjacent text with equal marks and drops empty text; the same list when there is neither. */
export function joinText(nodes: readonly Node[]): readonly Node[] {
  if (!needsJoin(nodes)) return nodes;
  const joined: Node[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "text" && node.text === "") continue;
    if (last && canJoin(last, node))
      joined[joined.length - 1] = { ...last, text: defined(last.text) + defined(node.text) };
    else joined.push(node);
  }
  return joined;
}

function needsJoin(nodes: readonly Node[]): boolean {
  for (let i = 0; i < nodes.length; i++) {
    if (defined(nodes[i]).type !== "text") continue;
    if (defined(nodes[i]).text === "" || (i > 0 && canJoin(defined(nodes[i - 1]), defined(nodes[i])))) return true;
  }
  return false;
}

const canJoin = (a: Node, b: Node): boolean =>
  a.type === "text" && b.type === "text" && sameMarks(a.marks, b.marks) && sameJson(a.attrs, b.attrs);

const noMarks: readonly Mark[] = [];

/** Whether two mark lists are the same; none and an empty list are. */
export function sameMarks(a: readonly Mark[] = noMarks, b: readonly Mark[] = noMarks): boolean {
  return a === b || (a.length === b.length && a.every((mark, i) => sameJson(mark, b[i])));
}

const duplicateId = (id: string): DocumentError =>
  new DocumentError("duplicate_block_id", `The id ${id} is there twice.`, { block_id: id });
