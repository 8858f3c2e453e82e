const MAX_CHARACTERS = 100;
const MAX_BYTES = 180;

/** What some file system or shell takes for something else, and what a reader cannot see. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const unsafe = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u2028\u2029]/gu;
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Names of devices on Windows, whatever follows a dot. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** A name that every file system takes as one step of a path. */
export function safeName(title: string): string {
  const plain = title.toWellFormed().normalize("NFC").replace(invisible, "").replace(unsafe, "-").replace(/\s+/gu, " ");
  const short = shorten(plain.trim())
    .replace(/[. ]+$/u, "")
    .replace(/^[.~\s]+/u, "");
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

/** Names that count as the same on some file system. */
const keyOf = (name: string): string => name.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Gives out names of one folder, each once. */
export class FolderNames {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved.map(keyOf));
  }

  /** The first of `name`, `name (2)`, … that is free with all of these endings. */
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
