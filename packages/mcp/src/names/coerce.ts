import { isRecord } from "@svc/document/guards";
import type * as z from "zod";

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Record<string, z.ZodType>;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** A value as the schema has it, where only its form differs: a number, a truth value or a list that came as text. */
export function coerce(schema: z.ZodType, value: unknown): unknown {
  const { type, innerType, element, shape, in: piped, options, values } = definitionOf(schema);
  if (innerType)
    return value === null && type !== "nullable" && type !== "optional" ? value : coerceInner(type, innerType, value);
  if (piped) return coerce(piped, value);
  if (options) {
    const meant = options.find((option) => isTagged(option, value));
    if (meant) return coerce(meant, value);
    return options.map((option) => coerceTo(option, value)).find((fitting) => fitting)?.value ?? value;
  }
  if (type === "number" && typeof value === "string" && /^\s*-?\d+\s*$/.test(value)) return Number(value);
  if (type === "boolean" && typeof value === "string" && /^(?:true|false)$/i.test(value)) return /^true$/i.test(value);
  if (type === "string" && typeof value === "number") return String(value);
  if (type === "literal") return values?.find((each) => String(each) === value) ?? value;
  if (type === "array") return coerceList(element!, value);
  if (type === "object" && isRecord(value)) return coerceMembers(shape ?? {}, value);
  return value;
}

/** Each member by its own schema; what is null and not known was left out. */
const coerceMembers = (shape: Record<string, z.ZodType>, value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(withPosition(shape, value))
      .filter(([name, member]) => shape[name] !== undefined || (member !== null && member !== undefined))
      .map(([name, member]) => [name, shape[name] ? coerce(shape[name], member) : member]),
  );

/** A position whose members stand beside it, as the schema shows them. */
function withPosition(shape: Record<string, z.ZodType>, value: Record<string, unknown>): Record<string, unknown> {
  const places = shape.position && definitionOf(shape.position).shape;
  if (!places || value.position !== undefined) return value;
  const [position, rest]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const [name, member] of Object.entries(value)) (name in places ? position : rest)[name] = member;
  return Object.keys(position).length === 0 ? value : { ...rest, position };
}

/** Whether a value says by its tag (`action`, `op`) that it is this alternative, whatever else is wrong with it. */
function isTagged(option: z.ZodType, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.entries(definitionOf(option).shape ?? {}).some(
    ([name, member]) =>
      ["literal", "enum"].includes(definitionOf(member).type) &&
      TAGS.includes(name) &&
      member.safeParse(members.get(name)).success,
  );
}

const TAGS = ["action", "op"];

function coerceTo(option: z.ZodType, value: unknown): { readonly value: unknown } | undefined {
  const coerced = coerce(option, value);
  return option.safeParse(coerced).success ? { value: coerced } : undefined;
}

/** Models send null for what they leave out. */
const coerceInner = (type: string, inner: z.ZodType, value: unknown): unknown =>
  value === null && type === "optional" && definitionOf(inner).type !== "nullable" ? undefined : coerce(inner, value);

function coerceList(element: z.ZodType, value: unknown): unknown {
  const list = typeof value === "string" ? parsed(value) : value;
  if (Array.isArray(list)) return list.map((each) => coerce(element, each));
  if (typeof list === "object" && list !== null) return [coerce(element, list)];
  // One text where a list of texts is wanted.
  return coerceTo(element, value) ? [value] : list;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
