import { canonicalJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { isRecord } from "@svc/document/guards";
import { markRules, nodeTypes } from "@svc/document/schema/nodes";
import { joinText } from "@svc/document/schema/normalise";
import type { Attrs, Mark, Node } from "@svc/document/types";
import type * as Y from "yjs";
import { isAttrs } from "./json.ts";

/** The formats of a run: a mark's type gives the name, its attributes the value as JSON text, empty for none. */
export type Formats = Readonly<Record<string, string>>;

/** A run of text or one inline node, as Yjs represents it. */
export interface Run {
  readonly insert: string | object;
  readonly attributes?: Formats;
}

/** The format that holds the attributes of text nodes, which are not marks. */
const TEXT_ATTRS = "@attrs";

/** The default order of marks, used unless a run stores another one. */
const ranks = new Map([...markRules.keys()].map((type, rank) => [type, rank]));
const rankOf = (type: string): number => ranks.get(type) ?? ranks.size;
const inOrder = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : a > b ? 1 : 0);

/**
 * A mark's value. Marks are ordered and formats are not: where the order differs from the default, each value starts
 * with the mark's position.
 */
function formatsOf(node: Node): Formats {
  const marks = node.marks ?? [];
  const usual = marks.every((mark, i) => i === 0 || inOrder(defined(marks[i - 1]).type, mark.type) < 0);
  const formats: Record<string, string> = {};
  marks.forEach((mark, index) => {
    formats[mark.type] = `${usual ? "" : index}${mark.attrs === undefined ? "" : canonicalJson(mark.attrs)}`;
  });
  if (node.type === "text" && node.attrs !== undefined) formats[TEXT_ATTRS] = canonicalJson(node.attrs);
  return formats;
}

/** Inline nodes as runs. */
export const runsOf = (nodes: readonly Node[]): Run[] =>
  nodes.flatMap((node) => {
    // Updates are UTF-8, which would replace half of a surrogate pair by another character.
    if (node.type === "text") return node.text ? { insert: node.text.toWellFormed(), attributes: formatsOf(node) } : [];
    const { type, attrs } = node;
    return { insert: attrs === undefined ? { type } : { type, attrs }, attributes: formatsOf(node) };
  });

/** The runs of a text as inline nodes. Drops anything else, which only a forging client can send. */
export const nodesOf = (runs: readonly Run[]): readonly Node[] => joinText(runs.flatMap(nodeOf));

function nodeOf({ insert, attributes = {} }: Run): Node[] {
  const marks = marksOf(attributes);
  const common = marks.length > 0 ? { marks } : {};
  if (typeof insert === "string") {
    const attrs = parseAttrs(attributes[TEXT_ATTRS]);
    return insert === "" ? [] : [{ type: "text", ...(attrs && { attrs }), ...common, text: insert }];
  }
  const { type, attrs }: Record<string, unknown> = isRecord(insert) ? insert : {};
  if (typeof type !== "string" || nodeTypes[type]?.kind !== "inline") return [];
  return [{ type, ...(isAttrs(attrs) && { attrs }), ...common }];
}

const VALUE = /^(\d*)(\{.*\})?$/s;

function marksOf(formats: Formats): Mark[] {
  const ordered: { readonly mark: Mark; readonly index: number }[] = [];
  for (const type of Object.keys(formats).sort(inOrder)) {
    if (!markRules.has(type)) continue;
    const [, index, json] = VALUE.exec(String(formats[type])) ?? [];
    if (index === undefined) continue;
    const attrs = parseAttrs(json);
    ordered.push({ mark: attrs ? { type, attrs } : { type }, index: index === "" ? ordered.length : Number(index) });
  }
  return ordered.sort((a, b) => a.index - b.index).map(({ mark }) => mark);
}

function parseAttrs(json: unknown): Attrs | undefined {
  if (typeof json !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isAttrs(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const readRuns = (text: Y.XmlText): Run[] => text.toDelta() as Run[];
