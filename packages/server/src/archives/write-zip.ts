import { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from "node:zlib";
import { defined } from "@svc/document/defined";
import { joinChunks } from "./join-chunks.ts";
import { dataDescriptor, directoryEntry, endRecords, localHeader, type ZipFile } from "./zip-records.ts";

/** A file for the archive. Bytes are compressed at once; a stream is passed on as it arrives. */
export interface ZipEntry {
  /** Separated by `/`, safe on every system. */
  readonly path: string;
  readonly modified: Date;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
  /** For streams only: worth compressing. */
  readonly compress?: boolean;
}

const deflate = promisify(deflateRaw);
const LEVEL = 6;
/** The number of files compressed ahead of the one being sent. */
const AHEAD = 8;
/** Smaller content does not shrink. */
const MIN_DEFLATED = 64;
/** Up to this size, sending the work to another thread costs more than the work. */
const DEFLATED_HERE = 4096;
/** Small files are sent together. */
const CHUNK_BYTES = 64 * 1024;

interface Packed {
  readonly entry: ZipEntry;
  readonly path: Buffer;
  /** The compressed content, unless it is streamed or compression does not pay. */
  readonly content: Uint8Array | undefined;
  readonly isDeflated: boolean;
}

/** Yields an archive while it is made: only the files in progress and the directory are in memory. */
export const writeZip = (entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> =>
  joinChunks(writeRecords(entries), CHUNK_BYTES);

async function* writeRecords(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const next of packed(entries)) {
    const base = { path: next.path, modified: next.entry.modified, isDeflated: next.isDeflated, offset };
    const file = yield* next.content ? writeBytes(base, next) : writeStream(base, next.entry);
    const line = directoryEntry(file);
    directory.push(line);
    offset += localHeader(file).length + file.packedSize + (file.isStreamed ? dataDescriptor(file).length : 0);
  }
  const size = directory.reduce((sum, line) => sum + line.length, 0);
  const end = endRecords({ count: directory.length, size, offset });
  yield* directory;
  yield end;
}

async function pack(entry: ZipEntry): Promise<Packed> {
  const path = Buffer.from(entry.path);
  if (!(entry.content instanceof Uint8Array))
    return { entry, path, content: undefined, isDeflated: entry.compress === true };
  if (entry.content.length < MIN_DEFLATED) return { entry, path, content: entry.content, isDeflated: false };
  const options = { level: LEVEL };
  const isHere = entry.content.length <= DEFLATED_HERE;
  const small = isHere ? deflateRawSync(entry.content, options) : await deflate(entry.content, options);
  const pays = small.length < entry.content.length;
  return { entry, path, content: pays ? small : entry.content, isDeflated: pays };
}

type Base = Pick<ZipFile, "path" | "modified" | "isDeflated" | "offset">;

function* writeBytes(base: Base, { entry, content }: Packed): Generator<Uint8Array, ZipFile> {
  const whole = entry.content;
  if (!(whole instanceof Uint8Array)) throw new Error("A stream is written as it comes.");
  const packedSize = defined(content).length;
  const file = { ...base, crc: crc32(whole), packedSize, size: whole.length, isStreamed: false };
  yield Buffer.concat([localHeader(file), defined(content)]);
  return file;
}

async function* writeStream(base: Base, entry: ZipEntry): AsyncGenerator<Uint8Array, ZipFile> {
  let file: ZipFile = { ...base, crc: 0, packedSize: 0, size: 0, isStreamed: true };
  yield localHeader(file);
  const content = entry.content instanceof Uint8Array ? Readable.from([entry.content]) : entry.content;
  async function* counted() {
    for await (const chunk of content) {
      file = { ...file, crc: crc32(chunk, file.crc), size: file.size + chunk.length };
      yield chunk;
    }
  }
  const output: AsyncIterable<Uint8Array> = base.isDeflated
    ? Readable.from(counted()).compose(createDeflateRaw({ level: LEVEL }))
    : counted();
  for await (const chunk of output) {
    file = { ...file, packedSize: file.packedSize + chunk.length };
    yield chunk;
  }
  yield dataDescriptor(file);
  return file;
}

/**
 * Packs in order, a few at a time. Nothing after a stream is requested before that has been read: it may hold a file
 * open, and later entries may depend on its content.
 */
async function* packed(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Packed> {
  const pending: Promise<Packed>[] = [];
  try {
    for await (const entry of entries) {
      const isStream = !(entry.content instanceof Uint8Array);
      const packing = pack(entry);
      packing.catch(() => undefined);
      pending.push(packing);
      while (pending.length >= AHEAD || (isStream && pending.length > 0)) yield await defined(pending.shift());
    }
    while (pending.length > 0) yield await defined(pending.shift());
  } finally {
    await Promise.allSettled(pending);
  }
}
