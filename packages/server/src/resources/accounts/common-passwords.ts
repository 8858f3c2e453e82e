import { readFileSync } from "node:fs";

/** From the ranked list of @zxcvbn-ts/language-common 4.1.3 (MIT licence), its first 10,000, in lower case. */
let common: ReadonlySet<string> | undefined;

/** Whether it is one of the 10,000 passwords that people use most, in any case. The list is read with the first new password. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
  return common.has(password.toLowerCase());
}
