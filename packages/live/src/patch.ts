import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { longestIncreasing } from "@svc/document/longest-increasing";
import type { Node } from "@svc/document/types";
import * as Y from "yjs";
import {
  attrsOf,
  encodeElement,
  encodeText,
  formOf,
  readAttrs,
  removeNodeAttribute,
  setNodeAttribute,
  setType,
  typeOf,
} from "./element.ts";
import { type Formats, type Run, readRuns, runsOf } from "./inline.ts";
import { diffSteps } from "./text-diff.ts";

/**
 * Makes an element equal to a node with few changes: unchanged characters are not touched and children are matched by
 * id, so concurrent changes by others in the same block survive.
 */
export function patchElement(element: Y.XmlElement, node: Node, withId = true): void {
  if (typeOf(element) !== node.type) setType(element, node.type);
  patchAttrs(element, node, withId);
  switch (formOf(node)) {
    case "none":
      if (element.length > 0) element.delete(0, element.length);
      break;
    case "text":
      patchLine(element, node.content ?? []);
      break;
    case "blocks":
      patchChildren(element, node.content ?? []);
  }
}

function patchAttrs(element: Y.XmlElement, node: Node, withId: boolean): void {
  const [before, after] = [readAttrs(element), attrsOf(node, withId)];
  for (const name of Object.keys(before)) if (!(name in after)) removeNodeAttribute(element, name);
  for (const [name, value] of Object.entries(after))
    if (value !== undefined && !sameJson(before[name], value)) setNodeAttribute(element, name, value);
}

/** Patches the only text of a line; removes a second text, or a block where text belongs. */
function patchLine(element: Y.XmlElement, nodes: readonly Node[]): void {
  const children = element.toArray();
  const text = children.find((child) => child instanceof Y.XmlText);
  if (!text) {
    if (element.length > 0) element.delete(0, element.length);
    element.insert(0, [encodeText(nodes)]);
    return;
  }
  const at = children.indexOf(text);
  if (element.length > at + 1) element.delete(at + 1, element.length - at - 1);
  if (at > 0) element.delete(0, at);
  patchText(text, nodes);
}

/** One character (a whole code point) or inline node. */
interface Unit {
  /** Equal for equal content, regardless of formats. */
  readonly key: string;
  readonly insert: string | object;
  readonly length: number;
  readonly formats: Formats;
}

const unitsOf = (runs: readonly Run[]): Unit[] =>
  runs.flatMap<Unit>(({ insert, attributes: formats = {} }) =>
    typeof insert === "string"
      ? [...insert].map((character) => ({ key: character, insert: character, length: character.length, formats }))
      : { key: `\0${JSON.stringify(insert)}`, insert, length: 1, formats },
  );

/** The characters and inline nodes of a line; for a block without children, the characters of its attributes. */
export function keysOf(node: Node): string[] {
  if (formOf(node) === "text") return unitsOf(runsOf(node.content ?? [])).map(({ key }) => key);
  const { id: _, ...attrs } = node.attrs ?? {};
  return Object.values(attrs).flatMap((value) => (typeof value === "string" ? [...value] : []));
}

type DeltaStep =
  | { retain: number; attributes?: Record<string, string | null> }
  | { delete: number }
  | { insert: string | object; attributes: Record<string, string> };

function patchText(text: Y.XmlText, nodes: readonly Node[]): void {
  const [before, after] = [unitsOf(readRuns(text)), unitsOf(runsOf(nodes))];
  const delta: DeltaStep[] = [];
  let [i, j] = [0, 0];
  const steps = diffSteps(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  );
  for (const { kind, count } of steps)
    for (let n = 0; n < count; n++) {
      if (kind === "keep") keep(delta, defined(before[i++]), defined(after[j++]));
      else if (kind === "delete") remove(delta, defined(before[i++]).length);
      else insert(delta, defined(after[j++]));
    }
  while (delta.length > 0 && isIdle(defined(delta.at(-1)))) delta.pop();
  if (delta.length > 0) text.applyDelta(delta);
}

const isIdle = (step: DeltaStep): boolean => "retain" in step && step.attributes === undefined;

function keep(delta: DeltaStep[], before: Unit, after: Unit): void {
  const attributes = changedFormats(before.formats, after.formats);
  const last = delta.at(-1);
  if (last && "retain" in last && sameJson(last.attributes ?? {}, attributes ?? {})) last.retain += before.length;
  else delta.push(attributes ? { retain: before.length, attributes } : { retain: before.length });
}

function changedFormats(before: Formats, after: Formats): Record<string, string | null> | undefined {
  if (before === after) return undefined;
  const changed: Record<string, string | null> = {};
  for (const name of Object.keys(before)) if (!(name in after)) changed[name] = null;
  for (const [name, value] of Object.entries(after)) if (before[name] !== value) changed[name] = value;
  return Object.keys(changed).length > 0 ? changed : undefined;
}

function remove(delta: DeltaStep[], length: number): void {
  const last = delta.at(-1);
  if (last && "delete" in last) last.delete += length;
  else delta.push({ delete: length });
}

function insert(delta: DeltaStep[], unit: Unit): void {
  const last = delta.at(-1);
  const before = last && "insert" in last && sameJson(last.attributes, unit.formats) ? last : undefined;
  if (typeof before?.insert === "string" && typeof unit.insert === "string") before.insert += unit.insert;
  else delta.push({ insert: unit.insert, attributes: { ...unit.formats } });
}

/** Patches children that keep their order; removes and reinserts the others. */
function patchChildren(element: Y.XmlElement, nodes: readonly Node[]): void {
  const children = element.toArray();
  const places = new Map<string, number>();
  children.forEach((child, index) => {
    if (child instanceof Y.XmlElement) places.set(childKey(readAttrs(child).id, index), index);
  });
  const wanted = nodes.map((node, index) => places.get(childKey(node.attrs?.id, index)) ?? -1);
  const matched = wanted.flatMap((place, index) => (place >= 0 ? index : []));
  const steady = longestIncreasing(matched.map((index) => defined(wanted[index]))).map((i) => defined(matched[i]));
  const kept = new Map(steady.map((index) => [defined(wanted[index]), index]));
  for (let place = children.length - 1; place >= 0; place--) if (!kept.has(place)) element.delete(place, 1);
  const isKept = new Set(steady);
  for (let index = 0; index < nodes.length; ) {
    const child = isKept.has(index) ? element.get(index) : undefined;
    if (child instanceof Y.XmlElement) {
      patchElement(child, defined(nodes[index]));
      index++;
      continue;
    }
    let end = index;
    while (end < nodes.length && !isKept.has(end)) end++;
    element.insert(
      index,
      nodes.slice(index, end).map((node) => encodeElement(node)),
    );
    index = end;
  }
}

const childKey = (id: unknown, index: number): string => (typeof id === "string" ? id : `#${index}`);
