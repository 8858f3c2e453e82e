import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import type * as yauzl from "yauzl";
import { ImportRefused } from "./refused.ts";

/** Loaded with the first import. */
const library = () => import("yauzl");
/** The flag of a ZIP entry whose name is UTF-8. */
const UTF8_NAME = 0x800;

/** A checked archive: every file in it has a safe, unique path and a limited size. */
export interface Archive {
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** Finds the file that a path means, even if letters have another form or case, as on many file systems. */
  find(path: string): string | undefined;
  sizeOf(path: string): number;
  /** Yields the content; throws at the first damaged piece. */
  content(path: string): AsyncGenerator<Uint8Array>;
  /** Returns the whole file if it is no larger than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Buffer>;
  close(): void;
}

export interface ArchiveLimits {
  readonly maxEntries: number;
  /** The total size of all unpacked files. */
  readonly maxBytes: number;
}

/** Large content with a higher compression ratio is treated as a ZIP bomb. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 16 * 1024 * 1024;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const UNIX = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these belongs into a path; U+FFFD is what bad encoding leaves
const oddCharacter = /[\u0000-\u001f\u007f-\u009f\ufffd]/;

/** Opens an archive: the path of a file, or its bytes. */
export async function openArchive(source: string | Buffer, limits: ArchiveLimits): Promise<Archive> {
  const { fromBufferPromise, getFileNameLowLevel, openPromise } = await library();
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false };
  const opening = typeof source === "string" ? openPromise(source, options) : fromBufferPromise(source, options);
  const zip = await opening.catch(() => {
    throw new ImportRefused("invalid_archive", "The file is not a ZIP archive, or it is damaged.");
  });
  try {
    return archiveOf(zip, await readEntries(zip, limits, getFileNameLowLevel));
  } catch (error) {
    zip.close();
    throw error instanceof ImportRefused ? error : new ImportRefused("unsafe_archive", reasonOf(error));
  }
}

const reasonOf = (error: unknown): string =>
  `The archive is damaged or unsafe: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}.`;

async function readEntries(
  zip: yauzl.ZipFile,
  limits: ArchiveLimits,
  nameOf: typeof yauzl.getFileNameLowLevel,
): Promise<Map<string, yauzl.Entry>> {
  if (zip.entryCount > limits.maxEntries)
    throw new ImportRefused("archive_too_large", `The archive has more than ${limits.maxEntries} files.`);
  const entries = new Map<string, yauzl.Entry>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    // Some programs, on Macs for example, write UTF-8 names without setting the flag.
    if (isUtf8(entry.fileNameRaw)) entry.fileName = nameOf(UTF8_NAME, entry.fileNameRaw, entry.extraFields, false);
    checkEntry(entry);
    if (entry.fileName.endsWith("/")) continue;
    if (entries.has(entry.fileName))
      throw new ImportRefused("unsafe_archive", `The archive has the file ${shown(entry.fileName)} twice.`);
    total += entry.uncompressedSize;
    if (total > limits.maxBytes)
      throw new ImportRefused("archive_too_large", `The archive unpacks to more than ${limits.maxBytes} bytes.`);
    entries.set(entry.fileName, entry);
  }
  return entries;
}

const shown = (path: string): string => JSON.stringify(path.slice(0, 200));

function checkEntry(entry: yauzl.Entry): void {
  const path = entry.fileName;
  const refuse = (why: string) => new ImportRefused("unsafe_archive", `The archive's file ${shown(path)} ${why}.`);
  if (oddCharacter.test(path)) throw refuse("has control characters or a broken encoding in its path");
  if (path.split("/").some((step) => step === ".." || step === ".")) throw refuse("has a path that leads elsewhere");
  if (entry.isEncrypted()) throw refuse("is encrypted");
  if (!entry.canDecodeFileData()) throw refuse("is compressed in a way that is not supported");
  const type = entry.versionMadeBy >> 8 === UNIX ? (entry.externalFileAttributes >>> 16) & FILE_TYPE : 0;
  if (type !== 0 && type !== REGULAR && type !== DIRECTORY) throw refuse("is a link or a device, not a file");
  const most = RATIO_FREE_BYTES + entry.compressedSize * MAX_RATIO;
  if (entry.uncompressedSize > most) throw refuse("unpacks to far more than it should");
}

function archiveOf(zip: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>): Archive {
  const get = (path: string): yauzl.Entry => {
    const entry = entries.get(path);
    if (!entry) throw new ImportRefused("invalid_archive", `The archive lacks the file ${shown(path)}.`);
    return entry;
  };
  const damaged = (path: string) => (error: unknown) => {
    throw new ImportRefused("invalid_archive", `The file ${shown(path)} cannot be read. ${reasonOf(error)}`);
  };
  const open = async (path: string): Promise<Readable> => zip.openReadStreamPromise(get(path)).catch(damaged(path));
  // yauzl compares only sizes.
  async function* content(path: string): AsyncGenerator<Uint8Array> {
    const stream = await open(path);
    let sum = 0;
    try {
      for await (const piece of stream) {
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (error) {
      damaged(path)(error);
    }
    if (sum !== get(path).crc32)
      throw new ImportRefused("invalid_archive", `The file ${shown(path)} is damaged: its checksum does not match.`);
  }
  const paths = [...entries.keys()];
  return {
    paths,
    has: (path) => entries.has(path),
    find: finder(paths),
    sizeOf: (path) => get(path).uncompressedSize,
    content,
    async read(path, maxBytes) {
      if (get(path).uncompressedSize > maxBytes)
        throw new ImportRefused("archive_too_large", `The file ${shown(path)} is larger than ${maxBytes} bytes.`);
      return buffer(content(path));
    },
    close: () => zip.close(),
  };
}

/**
 * Finds paths exactly, else with another form of letters, else in another case. The index is made when it is needed.
 */
export function finder(paths: readonly string[]): (path: string) => string | undefined {
  const exact = new Set(paths);
  const form = (path: string) => path.normalize("NFC");
  let alike: Map<string, string[]> | undefined;
  return (path) => {
    if (exact.has(path)) return path;
    alike ??= Map.groupBy(paths, (one) => form(one).toLowerCase());
    const found = alike.get(form(path).toLowerCase());
    return found?.find((one) => form(one) === form(path)) ?? found?.[0];
  };
}

export function checkSum(path: string, content: Uint8Array, expected: string | undefined): void {
  if (expected !== undefined && createHash("sha256").update(content).digest("hex") !== expected) throw otherSum(path);
}

export const otherSum = (path: string) =>
  new ImportRefused("checksum_mismatch", `The file ${shown(path)} is not the one that the manifest lists.`);
