interface Kept<T> {
  readonly about: T;
  readonly start: number;
  readonly end: number;
  readonly encoding: "latin1" | "utf8" | "utf16le";
}

interface Half<T> {
  /** Taken when it is first written to. */
  bytes?: Buffer;
  used: number;
  readonly texts: Map<string, Kept<T>>;
}

/**
 * A bounded memory of texts that never change under their key, with a little about each. It forgets as `Memory` does, but
 * keeps the texts as bytes outside of V8's heap: moving long-lived texts there, and looking through the heap more often
 * because of them, costs more than making most of them.
 */
export class TextMemory<T> {
  readonly #halfBytes: number;
  #young: Half<T> = { used: 0, texts: new Map() };
  #old: Half<T> = { used: 0, texts: new Map() };

  constructor(mostBytes: number) {
    this.#halfBytes = mostBytes / 2;
  }

  get(key: string): { readonly text: string; readonly about: T } | undefined {
    const young = this.#young.texts.get(key);
    if (young) return { text: textOf(this.#young, young), about: young.about };
    const old = this.#old.texts.get(key);
    if (!old) return undefined;
    const text = textOf(this.#old, old);
    this.set(key, text, old.about);
    return { text, about: old.about };
  }

  set(key: string, text: string, about: T): void {
    const size = Buffer.byteLength(text);
    // As many bytes as characters is ASCII. Half of a pair has no UTF-8.
    const encoding = size === text.length ? "latin1" : text.isWellFormed() ? "utf8" : "utf16le";
    const bytes = encoding === "utf16le" ? text.length * 2 : size;
    if (bytes > this.#halfBytes) return;
    if (this.#young.used + bytes > this.#halfBytes) this.#turn();
    const { used: start, texts } = this.#young;
    this.#young.bytes ??= Buffer.allocUnsafeSlow(this.#halfBytes);
    this.#young.bytes.write(text, start, encoding);
    this.#young.used = start + bytes;
    texts.set(key, { about, start, end: start + bytes, encoding });
  }

  /** What is young becomes old; what was old is forgotten and its room written anew. */
  #turn(): void {
    const forgotten = this.#old;
    this.#old = this.#young;
    this.#young = { ...forgotten, used: 0, texts: new Map() };
  }
}

const textOf = <T>({ bytes }: Half<T>, { encoding, start, end }: Kept<T>): string =>
  bytes === undefined ? "" : bytes.toString(encoding, start, end);
