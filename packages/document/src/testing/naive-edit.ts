import { defined } from "../defined.ts";
import { DocumentError } from "../errors.ts";
import { plainText } from "../read/text.ts";
import { hasBlockId, nodeTypes } from "../schema/nodes.ts";
import { normaliseBody } from "../schema/normalise.ts";
import { type DocumentType, validateBody } from "../schema/validate.ts";
import type { Attrs, Body, Json, Mark, NewId, Node } from "../types.ts";

/**
 * The edits again, as simply as can be: copy the whole body, change the copy in place, then validate and normalise all
 * of it. Slow and obvious, to hold the real ones against.
 */
export type NaiveOperation =
  | { op: "insert"; position: Record<string, unknown>; nodes: Node[] }
  | { op: "delete"; block_id: string }
  | { op: "replace"; block_id: string; node: Node }
  | { op: "move"; block_id: string; position: Record<string, unknown> }
  | { op: "set_attrs"; block_id: string; attrs: Attrs }
  | { op: "content"; block_id: string; content: Node[] }
  | { op: "replace_text"; block_id?: string; old: string; new: string; expected_count?: number };

interface Loose {
  type: string;
  text?: string;
  attrs?: Record<string, Json>;
  marks?: readonly Mark[];
  content?: Loose[];
}

/** A copy of a node, all the way down, that may be changed. */
function looseOf({ type, text, attrs, marks, content }: Node | (Body & Partial<Node>)): Loose {
  return {
    type,
    ...(text !== undefined && { text }),
    ...(attrs && { attrs: structuredClone(attrs) }),
    ...(marks && { marks: structuredClone(marks) }),
    ...(content && { content: content.map(looseOf) }),
  };
}

export function naiveApply(body: Body, operation: NaiveOperation, newId: NewId, documentType?: DocumentType): Body {
  const copy = looseOf(body);
  change(copy, structuredClone(operation));
  const valid = validateBody(copy, { maxCharacters: 1e9, documentType });
  return normaliseBody(valid, newId);
}

function change(body: Loose, operation: NaiveOperation): void {
  if (operation.op === "insert") insert(body, operation.position, operation.nodes.map(looseOf));
  else if (operation.op === "replace_text") replaceText(body, operation);
  else changeBlock(body, operation);
}

function changeBlock(body: Loose, operation: Exclude<NaiveOperation, { op: "insert" | "replace_text" }>): void {
  const { parent, index } = find(body, operation.block_id);
  const node = defined(defined(parent.content)[index]);
  if (operation.op === "delete") remove(body, node);
  if (operation.op === "move") move(body, node, operation.position);
  if (operation.op === "replace")
    defined(parent.content)[index] = {
      ...looseOf(operation.node),
      attrs: { ...operation.node.attrs, id: operation.block_id },
    };
  // An attribute that is null says nothing where there was none.
  const isNew = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(node.attrs?.[name] ?? null);
  if (operation.op === "set_attrs" && !/^block_[0-9A-Z]{26}$/.test(String(operation.attrs.id ?? operation.block_id)))
    throw new DocumentError("invalid_document", "a malformed id");
  if (operation.op === "set_attrs" && Object.entries(operation.attrs).some(isNew))
    node.attrs = { ...node.attrs, ...operation.attrs, id: operation.block_id };
  if (operation.op === "content") {
    node.content = operation.content.map(looseOf);
    if (node.content.length === 0 && defined(nodeTypes[node.type]).mayBeEmpty) delete node.content;
  }
}

function find(root: Loose, id: string): { parent: Loose; index: number } {
  for (const [index, node] of (root.content ?? []).entries()) {
    if (node.attrs?.id === id && hasBlockId(node.type)) return { parent: root, index };
    try {
      return find(node, id);
    } catch {}
  }
  throw new DocumentError("block_not_found", id);
}

function insert(body: Loose, position: Record<string, unknown>, nodes: Loose[]): void {
  const [kind, named] = defined(Object.entries(position)[0]);
  const value = String(named);
  if (kind === "parent_block_id") {
    const { parent, index } = find(body, value);
    const container = defined(defined(parent.content)[index]);
    container.content = [...(container.content ?? []), ...nodes];
    return;
  }
  const place = kind.endsWith("block_id") ? find(body, value) : { parent: body, index: 0 };
  if (kind === "document_end") place.index = defined(body.content).length;
  if (kind === "after_block_id") place.index++;
  if (kind === "after_heading") place.index = headingIndex(body, value) + 1;
  defined(place.parent.content).splice(place.index, 0, ...nodes);
}

function headingIndex(body: Loose, text: string): number {
  const bare = (value: string) => value.toLowerCase().replace(/\s/g, "");
  const headings = defined(body.content).map((node) => (node.type === "heading" ? bare(plainText(node)) : undefined));
  const equal = headings.indexOf(bare(text));
  const index = equal >= 0 ? equal : headings.findIndex((heading) => heading?.includes(bare(text)));
  if (index < 0) throw new DocumentError("heading_not_found", text);
  return index;
}

function remove(root: Loose, gone: Loose): void {
  root.content = root.content?.filter((child) => child !== gone);
  for (const child of [...(root.content ?? [])]) {
    const had = child.content?.length ?? 0;
    remove(child, gone);
    if (had > 0 && defined(child.content).length === 0) {
      if (defined(nodeTypes[child.type]).mayBeEmpty) delete child.content;
      else root.content = defined(root.content).filter((other) => other !== child);
    }
  }
  if (root.content === undefined) delete root.content;
}

function move(body: Loose, node: Loose, position: Record<string, unknown>): void {
  const id = defined(node.attrs).id;
  const target = String(Object.values(position)[0]);
  const inside = structuredClone(node).content ?? [];
  const within = inside.length > 0 && contains({ type: "x", content: inside }, target);
  if ("parent_block_id" in position ? target === id || within : within)
    throw new DocumentError("invalid_request", "inside itself");
  const mark: Loose = { type: "mark" };
  insert(body, position, [mark]);
  remove(body, node);
  replaceNode(body, mark, node);
}

const contains = (root: Loose, id: string): boolean =>
  (root.content ?? []).some((child) => child.attrs?.id === id || contains(child, id));

function replaceNode(root: Loose, old: Loose, by: Loose): void {
  root.content = root.content?.map((child) => (child === old ? by : child));
  if (root.content === undefined) delete root.content;
  for (const child of root.content ?? []) replaceNode(child, old, by);
}

function replaceText(
  body: Loose,
  edit: { block_id?: string; old: string; new: string; expected_count?: number },
): void {
  const place = edit.block_id === undefined ? undefined : find(body, edit.block_id);
  const counter = { count: 0 };
  replaceUnits(place ? defined(defined(place.parent.content)[place.index]) : body, edit, counter);
  const wanted = edit.expected_count ?? Math.max(1, counter.count);
  if (counter.count !== wanted) throw new DocumentError("invalid_request", "count");
}

/** Cuts a line into nodes of one UTF-16 unit each and looks for the text at every unit. */
function replaceUnits(node: Loose, edit: { old: string; new: string }, counter: { count: number }): void {
  for (const child of node.content ?? []) replaceUnits(child, edit, counter);
  if (!node.content?.some((child) => child.type === "text")) return;
  const units = node.content.flatMap((child) =>
    child.type === "text"
      ? defined(child.text)
          .split("")
          .map((unit) => ({ ...child, text: unit }))
      : [child],
  );
  for (let i = 0; i + edit.old.length <= units.length; i++) {
    const there = units.slice(i, i + edit.old.length);
    if (there.some((unit) => unit.type !== "text") || there.map((unit) => unit.text).join("") !== edit.old) continue;
    counter.count++;
    units.splice(i, edit.old.length, { ...defined(there[0]), text: edit.new });
  }
  if (edit.old !== edit.new) node.content = units;
}
