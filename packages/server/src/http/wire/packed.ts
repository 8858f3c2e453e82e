import { promisify } from "node:util";
import { brotliCompress, constants, crc32, deflateRaw, zstdCompress } from "node:zlib";

/** The encodings of an answer, the cheapest to make and to read first. */
export const ENCODINGS = ["zstd", "br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/**
 * A compressed text to which a short tail can still be added. The encoder was flushed but not ended, so the bytes stop
 * at a byte boundary between two of its blocks, and the tail is added as an uncompressed block. So the large part of an
 * answer is compressed once, although its envelope ends with a different request id each time.
 */
export interface Packed {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** The text's checksum, for the end of a gzip file. */
  readonly crc: number;
  readonly length: number;
}

/** The longest tail: blocks of all three encodings can state this length. */
export const MAX_TAIL_BYTES = 65_535;

const flushed: Record<Encoding, (text: Buffer) => Promise<Buffer>> = {
  zstd: (text) =>
    promisify(zstdCompress)(text, {
      finishFlush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_c_compressionLevel]: 3 },
    }),
  br: (text) =>
    promisify(brotliCompress)(text, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 3 },
    }),
  gzip: (text) => promisify(deflateRaw)(text, { finishFlush: constants.Z_SYNC_FLUSH, level: 4 }),
};

/** Compresses a nonempty text off the main thread. */
export async function pack(text: string | Buffer, encoding: Encoding): Promise<Packed> {
  const plain = Buffer.isBuffer(text) ? text : Buffer.from(text);
  const isGzip = encoding === "gzip";
  return {
    encoding,
    bytes: ofOwnSize(await flushed[encoding](plain)),
    crc: isGzip ? crc32(plain) : 0,
    length: plain.length,
  };
}

/** Copies the bytes, because the encoder returns a view of a larger buffer, which would stay in memory with it. */
function ofOwnSize(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** The end of each encoding: the tail as a plain block, and the end of the file. */
const endings: Record<Encoding, (packed: Packed, tail: Buffer) => Buffer[]> = {
  // RFC 8878, 3.1.1.2: last block, raw, its length.
  zstd: (_packed, tail) => [littleEndian((tail.length << 3) | 1, 3), tail],
  // RFC 7932, 9.2: a meta-block that is not the last, four nibbles of length, uncompressed; then an empty last one.
  br: (_packed, tail) =>
    tail.length === 0
      ? [Buffer.of(0x03)]
      : [littleEndian(((tail.length - 1) << 3) | (1 << 19), 3), tail, Buffer.of(0x03)],
  // RFC 1951, 3.2.4: last block, stored, its length and the complement; then RFC 1952: checksum and length.
  gzip: ({ crc, length }, tail) => [
    Buffer.of(1),
    littleEndian(tail.length, 2),
    littleEndian(~tail.length & 0xffff, 2),
    tail,
    littleEndian(crc32(tail, crc), 4),
    littleEndian(length + tail.length, 4),
  ],
};

const GZIP_HEAD = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** The whole file: the packed text, then a tail of at most `MAX_TAIL_BYTES`. */
export function finish(packed: Packed, tail: string): Buffer {
  const plain = Buffer.from(tail);
  if (plain.length > MAX_TAIL_BYTES) throw new Error("The tail of a packed answer is too long.");
  const head = packed.encoding === "gzip" ? [GZIP_HEAD] : [];
  return Buffer.concat([...head, packed.bytes, ...endings[packed.encoding](packed, plain)]);
}

function littleEndian(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  for (let i = 0; i < bytes; i++) written[i] = (value >>> (8 * i)) & 0xff;
  return written;
}
