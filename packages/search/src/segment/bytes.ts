/** Writes a number, up to 2^53, as seven bits per byte, lowest first; returns the end position. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let end = at;
  let rest = value;
  while (rest > 0x7fffffff) {
    bytes[end++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest > 0x7f) {
    bytes[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
}

/** A growing byte array. */
export class ByteSink {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
  }

  #reserve(extra: number): void {
    if (this.length + extra <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + extra));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = value;
  }

  varint(value: number): void {
    this.#reserve(8);
    this.length = writeVarint(this.bytes, this.length, value);
  }

  append(source: Uint8Array, from = 0, to = source.length): void {
    this.#reserve(to - from);
    if (to - from < 32) for (let i = from; i < to; i++) this.bytes[this.length++] = source[i]!;
    else {
      this.bytes.set(source.subarray(from, to), this.length);
      this.length += to - from;
    }
  }

  clear(): void {
    this.length = 0;
  }

  /** Returns a copy of the written bytes. */
  take(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

/**
 * Reads what `writeVarint` wrote. Past the end it reads zeros, so that a truncated page gives no postings instead of a
 * crash.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte >= 0x80);
    return value;
  }
}

const decoder = new TextDecoder();

export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/** Writes well-formed `text` into `target` and returns the number of bytes. Faster than TextEncoder on short words. */
export function writeUtf8(text: string, target: Uint8Array, from = 0): number {
  let length = from;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      target[length++] = code;
      continue;
    }
    if (code < 0x800) target[length++] = 0xc0 | (code >> 6);
    else {
      if ((code & 0xfc00) === 0xd800) {
        code = text.codePointAt(i++)!;
        target[length++] = 0xf0 | (code >> 18);
        target[length++] = 0x80 | ((code >> 12) & 0x3f);
      } else target[length++] = 0xe0 | (code >> 12);
      target[length++] = 0x80 | ((code >> 6) & 0x3f);
    }
    target[length++] = 0x80 | (code & 0x3f);
  }
  return length - from;
}

export function utf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  return bytes.subarray(0, writeUtf8(text, bytes));
}
