import { isMap, isScalar, parseDocument, stringify } from "yaml";
import { sameJson } from "../canonical.ts";
import { type Properties, readProperties } from "./read-properties.ts";

/** Lines are not folded: what a tool writes should not move when a value grows. */
const options = { lineWidth: 0, schema: "core" } as const;

/** The YAML of properties, in the words of an earlier source wherever a property has not changed. */
export function writeProperties(properties: Properties, before = ""): string {
  const kept = keepLines(properties, before);
  if (kept !== undefined && saysTheSame(kept, properties)) return kept;
  return Object.keys(properties).length === 0 ? "" : stringify(properties, options);
}

function saysTheSame(source: string, properties: Properties): boolean {
  try {
    return sameJson(readProperties(source), properties);
  } catch {
    return false;
  }
}

/** The lines of each property that stays, new lines for the others. Undefined where the source is not made of lines. */
function keepLines(properties: Properties, before: string): string | undefined {
  const { contents, errors } = parseDocument(before, { schema: "core" });
  if (errors.length > 0 || !isMap(contents) || contents.flow) return undefined;
  const old = readProperties(before);
  const starts = contents.items.map(({ key }) => (isScalar(key) && key.range ? lineStart(before, key.range[0]) : -1));
  if (starts.includes(-1)) return undefined;
  let text = before.slice(0, starts[0] ?? 0);
  const written = new Set<string>();
  contents.items.forEach(({ key }, i) => {
    const name = String(isScalar(key) ? key.value : key);
    if (!Object.hasOwn(properties, name)) return;
    written.add(name);
    const lines = before.slice(starts[i], starts[i + 1] ?? before.length);
    text += sameJson(old[name], properties[name])
      ? withLineEnd(lines)
      : stringify({ [name]: properties[name] }, options);
  });
  for (const name of Object.keys(properties))
    if (!written.has(name)) text += stringify({ [name]: properties[name] }, options);
  return text;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const withLineEnd = (lines: string): string => (lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`);
