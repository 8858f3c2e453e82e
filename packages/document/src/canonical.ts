import { isRecord } from "./guards.ts";

/**
 * The one JSON text of a value: keys in the order of their UTF-16 code units, no white space, strings and numbers as
 * JSON.stringify writes them (a lone surrogate as an escape). The same on every machine and for every key order, so it
 * can be hashed. Members that are undefined are left out, as JSON has no word for them.
 */
export function canonicalJson(value: unknown): string {
  const ordered = inOrder(value, 0);
  if (ordered === notOrderable) return writeDeep([value]).slice(1, -1);
  return JSON.stringify(ordered) ?? "null";
}

/**
 * The engine writes JSON fastest, in the order in which an object has its keys. So the keys are put in order first;
 * what is in order already, as everything read from canonical JSON is, is not copied.
 */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > RECURSION_LIMIT) return notOrderable;
  if (Array.isArray(value)) return listInOrder(value, depth);
  return isRecord(value) ? objectInOrder(value, depth) : value;
}

/** Stands for a value that cannot be had in order: nested too deep for recursion, or with keys that objects move. */
const notOrderable = Symbol("not orderable");
const RECURSION_LIMIT = 400;

function listInOrder(items: readonly unknown[], depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const ordered = inOrder(items[i], depth + 1);
    if (ordered === notOrderable) return notOrderable;
    if (ordered === items[i]) continue;
    copy ??= items.slice();
    copy[i] = ordered;
  }
  return copy ?? items;
}

function objectInOrder(object: Record<string, unknown>, depth: number): unknown {
  let previous = "";
  for (const key in object) {
    if (key < previous) return orderedCopy(object, depth);
    previous = key;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key in object) {
    const member = object[key];
    if (typeof member !== "object" || member === null) continue;
    const ordered = inOrder(member, depth + 1);
    if (ordered === member) continue;
    if (ordered === notOrderable || key === "__proto__") return notOrderable;
    copy ??= { ...object };
    copy[key] = ordered;
  }
  return copy ?? object;
}

function orderedCopy(object: Record<string, unknown>, depth: number): unknown {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) {
    if (movable(key)) return notOrderable;
    const ordered = inOrder(object[key], depth + 1);
    if (ordered === notOrderable) return notOrderable;
    copy[key] = ordered;
  }
  return copy;
}

/** Objects have keys that are numbers before all others, and setting `__proto__` sets something else. */
const movable = (key: string): boolean => key === "__proto__" || (key !== "" && (key.charCodeAt(0) - 48) >>> 0 <= 9);

/** A list or object being written: its members in order, and how far the writer has come. */
interface Frame {
  /** In the order in which they are written. */
  readonly members: readonly unknown[];
  /** The names of the members; a list has none. */
  readonly keys: readonly string[] | undefined;
  next: number;
  open: boolean;
}

/** Writes any value without recursion. */
function writeDeep(root: object): string {
  const parts: string[] = [];
  const stack: Frame[] = [openFrame(root, parts)];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    if (frame.next === frame.members.length) {
      parts.push(frame.keys ? "}" : "]");
      stack.pop();
    } else writeMember(frame, parts, stack);
  }
  return parts.join("");
}

function writeMember(frame: Frame, parts: string[], stack: Frame[]): void {
  const key = frame.keys?.[frame.next];
  const member = frame.members[frame.next++];
  if (member === undefined && frame.keys) return;
  if (frame.open) parts.push(",");
  frame.open = true;
  if (frame.keys) parts.push(JSON.stringify(key), ":");
  if (typeof member === "object" && member !== null) stack.push(openFrame(member, parts));
  else parts.push(JSON.stringify(member) ?? "null");
}

function openFrame(value: object, parts: string[]): Frame {
  if (!isRecord(value)) {
    parts.push("[");
    return { members: Array.isArray(value) ? value : [], keys: undefined, next: 0, open: false };
  }
  parts.push("{");
  const keys = Object.keys(value).sort();
  return { members: keys.map((key) => value[key]), keys, next: 0, open: false };
}

/** Whether two values have the same canonical JSON; compared without writing it. */
export function sameJson(a: unknown, b: unknown): boolean {
  return same(a, b, 0);
}

function same(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (depth > RECURSION_LIMIT) return canonicalJson(a) === canonicalJson(b);
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameList(a, b, depth);
  return isRecord(a) && isRecord(b) && sameObject(a, b, depth);
}

function sameList(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i], depth + 1)) return false;
  return true;
}

function sameObject(a: Record<string, unknown>, b: Record<string, unknown>, depth: number): boolean {
  let members = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !same(a[key], b[key], depth + 1)) return false;
    members++;
  }
  for (const key in b) if (b[key] !== undefined) members--;
  return members === 0;
}
