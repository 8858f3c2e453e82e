import { type Account, type Budget, ENTRY_BYTES, processBudget } from "./budget.ts";

interface Place {
  readonly slab: Buffer;
  readonly start: number;
  /** Bytes that are freed with this text alone; 0 when others share its slab. */
  readonly own: number;
}

interface Kept<T> extends Place {
  readonly about: T;
  readonly end: number;
  readonly encoding: "latin1" | "utf8" | "utf16le";
}

/** Short texts share a slab of so many bytes. */
const SLAB_BYTES = 256 * 1024;
/** A longer text has a slab of its own. */
const SHORT_BYTES = SLAB_BYTES / 8;

interface TextCacheOptions {
  readonly share?: number;
  readonly budget?: Budget;
}

/**
 * A cache of texts that never change under their key, with a little about each. It keeps the texts as bytes outside of
 * V8's heap: to move long-lived texts there, and to look through the heap more often because of them, costs more than
 * to make most of them.
 */
export class TextCache<T> {
  readonly #account: Account;
  #young = new Map<string, Kept<T>>();
  #old = new Map<string, Kept<T>>();
  /** Where the next short text goes. A slab holds texts of one generation, and goes with it. */
  #slab: Buffer | undefined;
  #used = 0;

  constructor(name: string, { share = 1, budget = processBudget }: TextCacheOptions = {}) {
    this.#account = budget.open(name, {
      share,
      entries: () => this.#young.size + this.#old.size,
      turn: () => {
        const evicted = this.#old.size;
        this.#old = this.#young;
        this.#young = new Map();
        this.#slab = undefined;
        return evicted;
      },
    });
  }

  get(key: string): { readonly text: string; readonly about: T } | undefined {
    const young = this.#young.get(key);
    const kept = young ?? this.#old.get(key);
    if (kept === undefined) {
      this.#account.misses++;
      return undefined;
    }
    this.#account.hits++;
    const text = kept.slab.toString(kept.encoding, kept.start, kept.end);
    if (young === undefined) this.put(key, text, kept.about);
    return { text, about: kept.about };
  }

  put(key: string, text: string, about: T): void {
    this.#remove(key);
    const size = Buffer.byteLength(text);
    // As many bytes as characters is ASCII. Half of a surrogate pair has no UTF-8.
    const encoding = size === text.length ? "latin1" : text.isWellFormed() ? "utf8" : "utf16le";
    const bytes = encoding === "utf16le" ? text.length * 2 : size;
    const place = this.#placeFor(bytes);
    if (place === undefined) return;
    place.slab.write(text, place.start, encoding);
    this.#young.set(key, { ...place, about, end: place.start + bytes, encoding });
  }

  #remove(key: string): void {
    this.#account.release(this.#young.get(key)?.own ?? 0, "young");
    this.#account.release(this.#old.get(key)?.own ?? 0, "old");
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #placeFor(bytes: number): Place | undefined {
    if (bytes > SHORT_BYTES) {
      const own = bytes + ENTRY_BYTES;
      return this.#account.admit(own) ? { slab: Buffer.allocUnsafeSlow(bytes), start: 0, own } : undefined;
    }
    // The entry counts as bytes of the slab.
    if (this.#slab === undefined || this.#used + bytes + ENTRY_BYTES > SLAB_BYTES) {
      if (!this.#account.admit(SLAB_BYTES)) return undefined;
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += bytes + ENTRY_BYTES;
    return { slab: this.#slab, start, own: 0 };
  }
}
