import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const compress = promisify(zstdCompress);
/** Characters: a longer text is compressed in another thread. */
const LONG = 100_000;

/** Packs the rows of deleted documents or folders for the trash. */
export async function pack(value: unknown): Promise<Uint8Array> {
  const text = JSON.stringify(value);
  return text.length > LONG ? compress(text) : zstdCompressSync(text);
}

export const unpack = <T>(packed: Uint8Array): T => JSON.parse(zstdDecompressSync(packed).toString());
