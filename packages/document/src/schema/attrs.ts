import { defined } from "../defined.ts";
import { isRecord, isSafeInteger } from "../guards.ts";
import type { AttrRule } from "./nodes.ts";

/** UTF-16 units of one node's attributes, keys included: room for a small inline picture, not for a file. */
const MAX_ATTRS_SIZE = 262_144;
const MAX_ATTRS_DEPTH = 32;

/** A complaint about an attribute: where below `attrs`, and what is wrong. */
interface AttrProblem {
  readonly at: string;
  readonly message: string;
}

const idPattern = /^block_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** Whether a string is `block_` and a ULID in upper-case Crockford form. */
const isBlockId = (id: string): boolean => id.length === 32 && idPattern.test(id);

const rules: Record<AttrRule, { readonly accepts: (value: unknown) => boolean; readonly wanted: string }> = {
  string: { accepts: (value) => typeof value === "string", wanted: "a string" },
  boolean: { accepts: (value) => typeof value === "boolean", wanted: "true or false" },
  integer: { accepts: isSafeInteger, wanted: "an integer" },
  span: {
    accepts: (value) => isSafeInteger(value) && value >= 1 && value <= 1000,
    wanted: "an integer from 1 to 1000",
  },
  size: { accepts: (value) => typeof value === "string" || Number.isFinite(value), wanted: "a number or a string" },
  level: {
    accepts: (value) => isSafeInteger(value) && value >= 1 && value <= 6,
    wanted: "an integer from 1 to 6",
  },
};

/** Checks known attributes against their rules, and all of them for size; the first problem, or undefined. */
export function findAttrProblem(
  attrs: unknown,
  known: Readonly<Record<string, AttrRule>>,
  hasId: boolean,
): AttrProblem | undefined {
  if (attrs === undefined) return "level" in known ? { at: ".level", message: "is missing" } : undefined;
  if (!isRecord(attrs)) return { at: "", message: "is not an object" };
  return (hasId ? findIdProblem(attrs.id) : undefined) ?? findRuleProblem(attrs, known) ?? findSizeProblem(attrs);
}

function findIdProblem(id: unknown): AttrProblem | undefined {
  if (id === undefined || id === null) return undefined;
  return typeof id === "string" && isBlockId(id) ? undefined : { at: ".id", message: "is not block_ and a ULID" };
}

function findRuleProblem(
  attrs: Record<string, unknown>,
  known: Readonly<Record<string, AttrRule>>,
): AttrProblem | undefined {
  for (const name in known) {
    const rule = defined(known[name]);
    const value = attrs[name];
    if ((value === undefined || value === null) && rule !== "level") continue;
    if (!rules[rule].accepts(value)) return { at: `.${name}`, message: `is not ${rules[rule].wanted}` };
  }
  return undefined;
}

function findSizeProblem(attrs: Record<string, unknown>): AttrProblem | undefined {
  const size = sizeOf(attrs, 0);
  if (size <= MAX_ATTRS_SIZE) return undefined;
  const message =
    size === Number.POSITIVE_INFINITY
      ? "holds a value that is nested too deep or is not JSON"
      : `is larger than ${MAX_ATTRS_SIZE} characters`;
  return { at: "", message };
}

/** Characters of a JSON value, keys included; infinite for what is too deep or no JSON value. */
function sizeOf(value: unknown, depth: number): number {
  switch (typeof value) {
    case "string":
      return value.length;
    case "boolean":
      return 5;
    case "number":
      return Number.isFinite(value) ? 8 : Number.POSITIVE_INFINITY;
    case "object":
      return value === null ? 4 : sizeOfMembers(value, depth);
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function sizeOfMembers(value: object, depth: number): number {
  if (depth >= MAX_ATTRS_DEPTH) return Number.POSITIVE_INFINITY;
  let size = 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && size <= MAX_ATTRS_SIZE; i++) size += 1 + sizeOf(value[i], depth + 1);
    return size;
  }
  if (!isRecord(value)) return size;
  for (const key in value) {
    size += key.length + 4 + sizeOf(value[key], depth + 1);
    if (size > MAX_ATTRS_SIZE) break;
  }
  return size;
}
