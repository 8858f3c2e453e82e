import { posix } from "node:path";
import { directoryOf } from "./names.ts";

/** Resolves an address in a file to a path within the folder. */
export interface LocalTarget {
  readonly path: string;
  /** After `#`; empty where there is none. */
  readonly fragment: string;
}

/** The path within the folder that an address of a file means; undefined for everything outside of it. */
export function localTarget(address: string, from: string): LocalTarget | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(address)) return undefined;
  const [, bare = "", fragment = ""] = /^([^#?]*)(?:#(.*))?$/s.exec(address) ?? [];
  try {
    const path = decodeURIComponent(bare);
    const joined = path.startsWith("/") ? posix.normalize(path.slice(1)) : posix.join(directoryOf(from), path);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no path has such characters
    if (bare === "" || /[\x00-\x1f]/.test(joined)) return undefined;
    if (joined.startsWith("..") || joined.endsWith("/")) return undefined;
    return { path: joined.normalize("NFC"), fragment: decodeURIComponent(fragment) };
  } catch {
    return undefined;
  }
}

/** The address of a path of the folder, as files in Markdown link to each other. */
export function relativeAddress(from: string, to: string, fragment = ""): string {
  const path = posix.relative(directoryOf(from), to);
  return encoded(path) + (fragment === "" ? "" : `#${encoded(fragment)}`);
}

/** Letters of every script stay readable; what would end the address does not. */
const encoded = (text: string): string =>
  text.replace(/[^\p{L}\p{N}\p{M}\-._~/@!$+,;=]/gu, (character) =>
    encodeURIComponent(character).replace(/[()'*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
  );
