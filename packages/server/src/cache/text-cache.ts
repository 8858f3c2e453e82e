import { ENTRY_BYTES } from "./budget.ts";
import { type CacheOptions, Entries } from "./entries.ts";

interface SlabRange {
  readonly slab: Buffer;
  readonly start: number;
  /** Bytes that are freed with this text alone; 0 if others share its slab. */
  readonly own: number;
}

interface Kept<T> extends SlabRange {
  readonly about: T;
  readonly end: number;
  readonly encoding: "utf8" | "utf16le";
}

/** A text in the cache. */
export class CachedText<T> {
  readonly #kept: Kept<T>;

  constructor(kept: Kept<T>) {
    this.#kept = kept;
  }

  get about(): T {
    return this.#kept.about;
  }

  get text(): string {
    const { slab, encoding, start, end } = this.#kept;
    return slab.toString(encoding, start, end);
  }

  /**
   * The text in UTF-8; undefined if it is stored otherwise. A copy, because a slow reader would otherwise keep a whole
   * shared slab in memory.
   */
  get bytes(): Buffer | undefined {
    const { slab, encoding, start, end, own } = this.#kept;
    if (encoding === "utf16le") return undefined;
    const bytes = slab.subarray(start, end);
    return own === 0 ? Buffer.from(bytes) : bytes;
  }
}

/** The size of the slabs that short texts share. */
const SLAB_BYTES = 256 * 1024;
/** A longer text has a separate slab. */
const SHORT_BYTES = SLAB_BYTES / 8;

/**
 * A cache of texts that never change under their key, with a little data about each. It stores the texts as bytes
 * outside V8's heap: moving long-lived texts within the heap, and the more frequent collections that they cause, cost
 * more than making most of them again.
 */
export class TextCache<T> {
  readonly #entries: Entries<Kept<T>>;
  /** The slab of the next short text. All texts in a slab belong to one generation and are dropped together. */
  #slab: Buffer | undefined;
  #used = 0;

  constructor(name: string, options: CacheOptions = {}) {
    this.#entries = new Entries(name, options, () => {
      this.#slab = undefined;
    });
  }

  get(key: string): CachedText<T> | undefined {
    const { account } = this.#entries;
    const young = this.#entries.young.get(key);
    const kept = young ?? this.#entries.old.get(key);
    if (kept === undefined) {
      account.misses++;
      return undefined;
    }
    account.hits++;
    if (young === undefined) this.#keep(key, kept.slab.subarray(kept.start, kept.end), kept.encoding, kept.about);
    return new CachedText(kept);
  }

  /** Stores a text, or its bytes in UTF-8, which must not change any more. */
  put(key: string, text: string | Buffer, about: T): void {
    if (typeof text !== "string") this.#keep(key, text, "utf8", about);
    else {
      // Half of a surrogate pair has no UTF-8.
      const encoding = text.isWellFormed() ? "utf8" : "utf16le";
      this.#keep(key, Buffer.from(text, encoding), encoding, about);
    }
  }

  #keep(key: string, bytes: Buffer, encoding: Kept<T>["encoding"], about: T): void {
    this.#remove(key);
    const range = this.#allocate(bytes);
    if (range === undefined) return;
    this.#entries.young.set(key, { ...range, about, end: range.start + bytes.length, encoding });
  }

  #remove(key: string): void {
    for (const generation of ["young", "old"] as const) {
      const kept = this.#entries[generation].get(key);
      if (kept === undefined) continue;
      this.#entries[generation].delete(key);
      this.#entries.account.release(kept.own, generation);
    }
  }

  #allocate(bytes: Buffer): SlabRange | undefined {
    const { length } = bytes;
    if (length > SHORT_BYTES) {
      const own = length + ENTRY_BYTES;
      return this.#entries.account.admit(own) ? { slab: bytes, start: 0, own } : undefined;
    }
    // The entry counts as bytes of the slab.
    if (this.#slab === undefined || this.#used + length + ENTRY_BYTES > SLAB_BYTES) {
      if (!this.#entries.account.admit(SLAB_BYTES)) return undefined;
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    bytes.copy(this.#slab, start);
    this.#used += length + ENTRY_BYTES;
    return { slab: this.#slab, start, own: 0 };
  }
}
