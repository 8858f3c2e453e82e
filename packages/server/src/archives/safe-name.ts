import { withoutInvisible } from "@svc/document/without-invisible";

const MAX_CHARACTERS = 100;
const MAX_BYTES = 180;

/** Characters with a special meaning in some file system or shell, and invisible ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const unsafe = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u2028\u2029]/gu;
/** Device names on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** The short name that NTFS gives `.git`. */
const shortGit = /^(git)~(\d+)$/i;

/** A name that every file system accepts as one path segment. */
export function safeName(title: string): string {
  const plain = withoutInvisible(title).normalize("NFC").replace(unsafe, "-").replace(/\s+/gu, " ");
  const short = shorten(plain.trim())
    .replace(/[. ]+$/u, "")
    .replace(/^[.~\s]+/u, "")
    .replace(shortGit, "$1-$2");
  if (short === "") return "untitled";
  return device.test(short) ? `_${short}` : short;
}

function shorten(name: string): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (kept.length === MAX_CHARACTERS || bytes > MAX_BYTES) break;
    kept.push(character);
  }
  return kept.join("");
}

/** Equal for names that are the same on some file system. */
const keyOf = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Assigns unique names in one folder. */
export class FolderNames {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved.map(keyOf));
  }

  /** Returns the first of `name`, `name (2)`, … that is free with all of these endings. */
  take(name: string, endings: readonly string[]): string {
    const base = keyOf(name);
    for (let number = this.#next.get(base) ?? 1; ; number++) {
      const candidate = number === 1 ? name : `${name} (${number})`;
      const keys = endings.map((ending) => keyOf(candidate + ending));
      if (keys.some((key) => this.#taken.has(key))) continue;
      for (const key of keys) this.#taken.add(key);
      this.#next.set(base, number + 1);
      return candidate;
    }
  }
}
