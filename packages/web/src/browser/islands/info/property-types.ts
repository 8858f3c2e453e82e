/** The types of properties, which follow from their values, and the fields in which people edit them. */
import { element } from "../common/element.ts";

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Properties = Readonly<Record<string, Value>>;

export const TYPES = ["text", "number", "date", "checkbox", "list"] as const;
export type Type = (typeof TYPES)[number];

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The type of a value; undefined for a structure that only the API writes. */
export function typeOf(value: Value): Type | undefined {
  if (typeof value === "boolean") return "checkbox";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return DATE.test(value) ? "date" : "text";
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes(","));
  return isList ? "list" : undefined;
}

export const emptyValue: Readonly<Record<Type, Value>> = { text: "", number: 0, date: "", checkbox: false, list: [] };

export function fieldOf(type: Type, name: string, value: Value): HTMLInputElement {
  const kind = type === "list" ? "text" : type;
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return element("input", {
    type: kind,
    "aria-label": name,
    ...(type === "checkbox" ? { checked: value === true } : { value: text, maxlength: 2000 }),
    ...(type === "number" && { step: "any" }),
    ...(type === "list" && { placeholder: "One, two, three" }),
  });
}

/** The value of a field; undefined for a number that is none. */
export function valueIn(type: Type, field: HTMLInputElement): Value | undefined {
  if (type === "checkbox") return field.checked;
  const text = field.value.trim();
  if (type === "list") return [...new Set(text.split(",").map((one) => one.trim()))].filter((one) => one !== "");
  if (type !== "number") return text;
  return text === "" || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** A value as it is read. */
export function shown(value: Value): Node[] {
  const type = typeOf(value);
  if (type === undefined) return [element("code", {}, JSON.stringify(value))];
  if (type === "date") return [element("span", {}, dates.format(new Date(String(value))))];
  const texts = Array.isArray(value) ? value.map(String) : [String(value)];
  const isEmpty = texts.every((text) => text === "");
  return isEmpty
    ? [element("span", { class: "hint" }, "Empty")]
    : texts.map((text) => element("bdi", type === "list" ? { class: "tag" } : {}, text));
}

/** The link of a value that is a web address. */
export const linkOf = (value: Value): HTMLElement | undefined =>
  typeof value === "string" && /^https?:\/\/\S+$/i.test(value)
    ? element("a", { class: "property-address", href: value, rel: "noopener noreferrer" }, value)
    : undefined;
