import { readFileSync } from "node:fs";

/** The first 10,000 of the ranked list of @zxcvbn-ts/language-common 4.1.3 (MIT licence), in lower case. */
let common: ReadonlySet<string> | undefined;

/**
 * Whether it is one of the 10,000 most common passwords, ignoring case. The list is loaded with the first new password.
 */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
  return common.has(password.toLowerCase());
}
