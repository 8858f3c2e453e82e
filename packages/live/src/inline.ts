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

/** A run of text or one inline node, as Yjs tells it. */
export interface Run {
  readonly insert: string | object;
  readonly attributes?: Formats;
}

/** The format that keeps the attributes of text nodes, which are no mark. */
const TEXT_ATTRS = "@attrs";

/** Marks stand in this order unless their run says otherwise. */
const ranks = new Map([...markRules.keys()].map((type, rank) => [type, rank]));
const rankOf = (type: string): number => ranks.get(type) ?? ranks.size;
const inOrder = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : a > b ? 1 : 0);

/**
 * A mark's value. Marks are a list and formats have no order: where the list has another order than the usual one, each
 * value begins with the mark's place in it.
 */
function formatsOf(node: Node): Formats {
  const marks = node.marks ?? [];
  const usual = marks.every((mark, i) => i === 0 || inOrder(defined(marks[i - 1]).type, mark.type) < 0);
  const formats: Record<string, string> = {};
  marks.forEach((mark, place) => {
    formats[mark.type] = `${usual ? "" : place}${mark.attrs === undefined ? "" : canonicalJson(mark.attrs)}`;
  });
  if (node.type === "text" && node.attrs !== undefined) formats[TEXT_ATTRS] = canonicalJson(node.attrs);
  return formats;
}

/** Inline nodes as runs. */
export const runsOf = (nodes: readonly Node[]): Run[] =>
  nodes.flatMap((node) => {
    // Updates are UTF-8: half of a surrogate pair would become another character on the way.
    if (node.type === "text") return node.text ? { insert: node.text.toWellFormed(), attributes: formatsOf(node) } : [];
    const { type, attrs } = node;
    return { insert: attrs === undefined ? { type } : { type, attrs }, attributes: formatsOf(node) };
  });

/** The runs of a text as inline nodes. What is no inline node of ours, as only a forging client can send, is left out. */
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
  const placed: { readonly mark: Mark; readonly place: number }[] = [];
  for (const type of Object.keys(formats).sort(inOrder)) {
    if (!markRules.has(type)) continue;
    const [, place, json] = VALUE.exec(String(formats[type])) ?? [];
    if (place === undefined) continue;
    const attrs = parseAttrs(json);
    placed.push({ mark: attrs ? { type, attrs } : { type }, place: place === "" ? placed.length : Number(place) });
  }
  return placed.sort((a, b) => a.place - b.place).map(({ mark }) => mark);
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
