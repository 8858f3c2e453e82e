import { usage } from "./command-error.ts";

/** `name=value` in its two parts. */
export function nameAndValue(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw usage(`A property is given as name=value, not ${text}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Filters as parameters of a query. */
export const propertyQuery = (given: readonly string[] = []): Record<`property.${string}`, string> =>
  Object.fromEntries(given.map(nameAndValue).map(([name, value]) => [`property.${name}`, value]));
