import { apiError } from "../errors.ts";

/** The version in a caller's If-Match, or `*` for any version. */
export type Expected = string | "*";

/** One version, quoted or not, weak or not. */
const parseTag = (text: string): string =>
  text
    .trim()
    .replace(/^W\//i, "")
    .replace(/^"(.*)"$/, "$1");

export const parseIfMatch = (header: string | undefined): Expected | undefined =>
  header === undefined || header.trim() === "" ? undefined : parseTag(header);

/** Whether the caller already has this version (If-None-Match may list several). */
export const alreadyHas = (header: string | undefined, version: string): boolean =>
  header?.split(",").some((tag) => tag.trim() === "*" || parseTag(tag) === version) ?? false;

const HINT = "Read it again and send its ETag in If-Match.";

/** Throws 428 if no version was sent. */
export function requireExpected(expected: Expected | undefined): Expected {
  if (expected === undefined) throw apiError("precondition_required", { header: "If-Match", hint: HINT });
  return expected;
}

/** Throws 409 if the version sent is not the current one. */
export function checkExpected(expected: Expected | undefined, current: string): void {
  if (expected === undefined || expected === "*" || expected === current) return;
  throw apiError("version_conflict", { current_version: current, expected_version: expected, hint: HINT });
}
