import type { Page } from "@svc/sdk";
import { short, shortId } from "./short.ts";

/** Small pieces of the Markdown that tools answer. */

export const lines = (...given: readonly (string | false | null | undefined)[]): string =>
  given.filter((line) => typeof line === "string").join("\n");

export const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Versions shown in their short form, which `names/` accepts. */
const SHORTENED = ["version", "summary_version"];

/** `document_id: 2M5R1XCM · version: 9f86d081`: names and values that the next call can use as they are. */
export const facts = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== "" && !isEmptyList(value))
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.join(", ") : String(value);
      return `${name}: ${SHORTENED.includes(name) ? short(text) : shortId(text)}`;
    })
    .join(" · ");

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Formats text as one line, cut at `most` characters. */
export function oneLine(text: string, most = 200): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The line that explains how to read the next page, if there is one. */
export const more = (page: Pick<Page, "next_cursor">): string | null =>
  page.next_cursor === null
    ? null
    : `\nThere is more: call again with the same arguments and cursor: ${page.next_cursor}`;

/** The line that explains how to continue from a block, a file or a byte offset. */
export const moreFrom = (from: string | number): string => `\nThere is more: go on with from: ${from}`;
/** The max tokens of this line. */
export const TOKENS_OF_MORE = 26;
