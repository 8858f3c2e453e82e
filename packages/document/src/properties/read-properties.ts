import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { DocumentError } from "../errors.ts";
import { isStorable } from "../storable.ts";

export type PropertyValue = string | number | boolean | null | readonly PropertyValue[] | Properties;
export type Properties = { readonly [name: string]: PropertyValue };

const MAX_PROPERTIES = 64;
/** Max bytes of the source in UTF-8. */
const MAX_PROPERTY_BYTES = 16_384;
/** Max bytes of the properties as JSON, which has more quotes than YAML and repeats aliased values. */
const MAX_VALUE_BYTES = 65_536;
const MAX_NAME_LENGTH = 200;
const MAX_DEPTH = 8;
const MAX_OPEN = 100;
/** Aliases repeat what they name; so many in all. */
const MAX_ALIASES = 100;

const refused = (message: string, details: Record<string, unknown> = {}): DocumentError =>
  new DocumentError("invalid_properties", message, details);

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Parses YAML into properties. An empty text has none. Rejects anything that is not a mapping, is too large or too deep. */
export function readProperties(source: string): Properties {
  if (bytesOf(source) > MAX_PROPERTY_BYTES)
    throw refused(`Properties take at most ${MAX_PROPERTY_BYTES} bytes.`, { path: "", limit: MAX_PROPERTY_BYTES });
  return checkProperties(parseYaml(source) ?? {});
}

/** Nesting is counted before the library reads it: its parser calls itself for every level. */
function opensTooMany(source: string): boolean {
  let depth = 0;
  for (const [bracket] of source.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === "[" || bracket === "{" ? 1 : -1));
    if (depth > MAX_OPEN) return true;
  }
  return source.split("\n").some((line) => /^(?:\s*[-?:](?=\s)){20}/.test(line));
}

function parseYaml(source: string): unknown {
  if (opensTooMany(source)) throw refused("Properties have too many levels.", { path: "" });
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(source, { lineCounter, schema: "core", prettyErrors: false, stringKeys: true });
    const [problem] = document.errors;
    if (problem) {
      const { line } = lineCounter.linePos(problem.pos[0]);
      throw refused(`The YAML cannot be read: ${problem.message} (line ${line}).`, { line });
    }
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return null;
    if (!isMap(contents)) throw refused("Properties are a mapping of names to values.", { line: 1 });
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const message =
      error instanceof Error && !(error instanceof RangeError) ? error.message : "it is nested too deeply";
    throw refused(`The YAML cannot be read: ${message.split("\n")[0]}.`, { line: 1 });
  }
}

/** Properties as they came in JSON, or out of YAML: names and values that every store can hold, within the limits. */
export function checkProperties(value: unknown): Properties {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refused("Properties are a mapping of names to values.", { path: "" });
  const names = Object.keys(value);
  if (names.length > MAX_PROPERTIES)
    throw refused(`A document has at most ${MAX_PROPERTIES} properties.`, { path: "", limit: MAX_PROPERTIES });
  const properties = readObject(value, "", 1);
  if (bytesOf(JSON.stringify(properties)) > MAX_VALUE_BYTES)
    throw refused(`Properties take at most ${MAX_VALUE_BYTES} bytes as JSON.`, { path: "", limit: MAX_VALUE_BYTES });
  return properties;
}

function readObject(value: object, path: string, depth: number): Properties {
  const entries = Object.entries(value).map(([name, inner]): [string, PropertyValue] => {
    const at = path === "" ? name : `${path}.${name}`;
    if (name.trim() === "" || name.length > MAX_NAME_LENGTH || !isStorable(name) || /[\n\r]/.test(name))
      throw refused(`A property's name has 1 to ${MAX_NAME_LENGTH} characters.`, { path: at.slice(0, 400) });
    return [name, readValue(inner, at, depth)];
  });
  return Object.fromEntries(entries);
}

function readValue(value: unknown, path: string, depth: number): PropertyValue {
  if (depth > MAX_DEPTH) throw refused(`Properties have at most ${MAX_DEPTH} levels.`, { path: path.slice(0, 400) });
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string") {
    if (!isStorable(value)) throw refused("A value has a character that cannot be stored.", { path });
    return value;
  }
  if (Array.isArray(value)) return value.map((item, i) => readValue(item, `${path}[${i}]`, depth + 1));
  if (typeof value === "object") return readObject(value, path, depth + 1);
  throw refused("A value is of no known kind.", { path });
}

/** A value as text, as filters compare it. */
export const textOf = (value: PropertyValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The texts by which a filter finds a property: its value, or each member of a list. */
export const textsOf = (value: PropertyValue): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.map(textOf))] : [textOf(value)];
