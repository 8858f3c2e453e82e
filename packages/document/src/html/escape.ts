import { defined } from "../defined.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\0": "\uFFFD",
};
const unsafe = /[&<>"'\0]/;

/** Text made safe for element content and for quoted attribute values alike. */
export const escapeHtml = (text: string): string =>
  unsafe.test(text) ? text.replace(/[&<>"'\0]/g, (char) => defined(entities[char])) : text;

/** ` name="value"`, or nothing for a value that is absent. */
export const attribute = (name: string, value: string | number | null | undefined): string =>
  value === null || value === undefined ? "" : ` ${name}="${escapeHtml(String(value))}"`;
