import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import type * as Y from "yjs";
import type { Formats } from "./inline.ts";
import { diffSteps } from "./text-diff.ts";

/** A character or an inline node of a line. */
export interface Unit {
  readonly insert: string | object;
  readonly attributes: Formats;
  /** True if the change added it. */
  readonly isNew: boolean;
}

/** A unit of a removed line: as its remover saw it, and with the words written here meanwhile. */
export interface Piece {
  readonly id: Y.ID;
  readonly before: Unit | undefined;
  readonly now: Unit | undefined;
}

type DeltaStep =
  | { retain: number; attributes?: Record<string, string | null> }
  | { delete: number }
  | { insert: string | object; attributes: Record<string, string> };

const LOW_SURROGATE = /^[\udc00-\udfff]$/;

/**
 * The steps that bring the changes of a removed line into the line that has its text now. `pieces` say exactly what was
 * written and deleted; only the places are found by comparing.
 */
export function transplant(pieces: readonly Piece[], line: readonly Unit[]): DeltaStep[] {
  const places = placesIn(line, pieces);
  const inserts = new Map<number, Unit[]>();
  const changes = new Map<number, { readonly before: Unit; readonly now: Unit | undefined }>();
  let at = firstPlace(pieces, places);
  let index = 0;
  for (const { before, now } of pieces) {
    if (!before) {
      if (now) inserts.set(at, [...(inserts.get(at) ?? []), now]);
      continue;
    }
    const place = places[index++];
    if (place === undefined) continue;
    changes.set(place, { before, now });
    at = place + 1;
    if (LOW_SURROGATE.test(String(line[at]?.insert))) at++;
  }
  const delta: DeltaStep[] = [];
  for (let i = 0; i <= line.length; i++) {
    for (const unit of inserts.get(i) ?? []) insert(delta, unit);
    const unit = line[i];
    if (!unit) continue;
    const change = changes.get(i);
    if (change && !change.now) remove(delta);
    else retain(delta, change?.now && changedFormats(change.before.attributes, change.now.attributes, unit.attributes));
  }
  return delta;
}

/** By unit of the removed line: where the other line has it. */
function placesIn(line: readonly Unit[], pieces: readonly Piece[]): (number | undefined)[] {
  const before = pieces.flatMap((piece) => piece.before ?? []);
  const places: (number | undefined)[] = [];
  let place = 0;
  for (const { kind, count } of diffSteps(before.map(keyOf), line.map(keyOf)))
    for (let n = 0; n < count; n++) {
      if (kind === "insert") place++;
      else places.push(kind === "keep" ? place++ : undefined);
    }
  return places;
}

const keyOf = ({ insert }: Unit): string => (typeof insert === "string" ? insert : `\0${JSON.stringify(insert)}`);

/** Words before every unit that the other line has go before the first of these. */
function firstPlace(pieces: readonly Piece[], places: readonly (number | undefined)[]): number {
  const first = places.find((place) => place !== undefined);
  return pieces.length === 0 ? 0 : (first ?? 0);
}

/** Formats that changed here change there. */
function changedFormats(before: Formats, now: Formats, there: Formats): Record<string, string | null> | undefined {
  if (before === now || sameJson(before, now)) return undefined;
  const changed: Record<string, string | null> = {};
  for (const name of Object.keys(before)) if (!(name in now) && name in there) changed[name] = null;
  for (const [name, value] of Object.entries(now))
    if (before[name] !== value && there[name] !== value) changed[name] = value;
  return Object.keys(changed).length > 0 ? changed : undefined;
}

function retain(delta: DeltaStep[], attributes: Record<string, string | null> | undefined): void {
  const last = delta.at(-1);
  if (last && "retain" in last && sameJson(last.attributes ?? {}, attributes ?? {})) last.retain++;
  else delta.push(attributes ? { retain: 1, attributes } : { retain: 1 });
}

function remove(delta: DeltaStep[]): void {
  const last = delta.at(-1);
  if (last && "delete" in last) last.delete++;
  else delta.push({ delete: 1 });
}

function insert(delta: DeltaStep[], { insert: what, attributes }: Unit): void {
  const last = delta.at(-1);
  const before = last && "insert" in last && sameJson(last.attributes, attributes) ? last : undefined;
  if (typeof before?.insert === "string" && typeof what === "string") before.insert += what;
  else delta.push({ insert: what, attributes: { ...attributes } });
}

/** Whether a line has all that would be brought into it. */
export const hasAll = (pieces: readonly Piece[], line: readonly Unit[]): boolean => {
  const now = pieces.flatMap((piece) => piece.now ?? []);
  return now.length === line.length && now.every((unit, i) => keyOf(unit) === keyOf(defined(line[i])));
};
