import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "@svc/document/thrown";
import { failure } from "./command-error.ts";
import { quoted } from "./output.ts";
import { credentialsFile } from "./places.ts";

/** One server and who one is there. */
export interface Profile {
  readonly url: string;
  readonly token: string;
  readonly token_id: string;
  readonly email: string;
  readonly workspace: string;
  readonly access: string;
  /** Milliseconds; null does not expire. */
  readonly expires_at: number | null;
}

export interface Credentials {
  /** The profile that is used when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Under which name a server is kept when none is given: its own, else `default`, else its host. */
export function profileFor(url: string, { current, profiles }: Credentials): string {
  const names = Object.keys(profiles).filter((name) => profiles[name]?.url === url);
  const own = current !== null && names.includes(current) ? current : names[0];
  return own ?? (Object.hasOwn(profiles, "default") ? new URL(url).host : "default");
}

const EMPTY: Credentials = { current: null, profiles: {} };

/** Reads the saved credentials. A file that others can read is refused, because they may know its tokens. */
export function readCredentials(): Credentials {
  const file = credentialsFile();
  let text: string;
  try {
    if (process.platform !== "win32" && statSync(file).mode & 0o077)
      throw failure(`Others can read ${file}, which holds your tokens.`, `chmod 600 ${quoted(file)}`);
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return EMPTY;
    throw error;
  }
  return parse(text, file);
}

function parse(text: string, file: string): Credentials {
  try {
    const { current, profiles }: Credentials = JSON.parse(text);
    if (Object.values(profiles).every(({ url, token }) => URL.canParse(url) && typeof token === "string"))
      return { current, profiles };
  } catch {
    // Said below.
  }
  throw failure(`${file} cannot be read as credentials.`, `rm ${quoted(file)}`, "svc login");
}

/** Keeps them in a file that only its owner can read, in a folder of the same kind; complete or not at all. */
export function writeCredentials(credentials: Credentials): void {
  const file = credentialsFile();
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const fresh = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}
