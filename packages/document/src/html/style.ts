import type { Attrs, Json } from "../types.ts";
import { attribute } from "./escape.ts";

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const named = /^[a-z]{3,24}$/i;
const call = /^(?:rgb|hsl)a?\(\s*[0-9.]{1,8}(?:deg|%)?(?:[\s,/]{1,4}[0-9.]{1,8}%?){2,3}\s*\)$/i;
const length = /^[0-9]{1,4}(?:\.[0-9]{1,3})?(?:px|pt|em|rem|%)$/;
const family = /^[\p{L}\p{N} ,_-]{1,100}$/u;

/** A value that is nothing but a colour: it cannot end its declaration or fetch anything. */
export const isColour = (value: Json | undefined): value is string =>
  typeof value === "string" && (hex.test(value) || named.test(value) || call.test(value));

/** The declarations of a text style that are nothing but a colour, a size or a font name. */
export function styleAttribute(attrs: Attrs | undefined): string {
  const rules: string[] = [];
  const add = (name: string, value: Json | undefined, isValid: boolean): void => {
    if (isValid) rules.push(`${name}:${value}`);
  };
  add("color", attrs?.color, isColour(attrs?.color));
  add("background-color", attrs?.backgroundColor, isColour(attrs?.backgroundColor));
  add("font-size", attrs?.fontSize, typeof attrs?.fontSize === "string" && length.test(attrs.fontSize));
  add("font-family", attrs?.fontFamily, typeof attrs?.fontFamily === "string" && family.test(attrs.fontFamily));
  return rules.length === 0 ? "" : attribute("style", rules.join(";"));
}

/** Text alignments, as named by HTML, CSS and `textAlign`. */
export const TEXT_SIDES: readonly string[] = ["left", "center", "right", "justify"];

export const colourStyle = (name: "background-color" | "text-align", value: Json | undefined): string => {
  const isValid = name === "text-align" ? typeof value === "string" && TEXT_SIDES.includes(value) : isColour(value);
  return isValid ? attribute("style", `${name}:${value}`) : "";
};
