import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Packs the rows of deleted documents or folders for the trash. */
export const pack = (value: unknown): Uint8Array => zstdCompressSync(JSON.stringify(value));
export const unpack = <T>(packed: Uint8Array): T => JSON.parse(zstdDecompressSync(packed).toString());
