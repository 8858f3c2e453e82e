import { Buffer } from "node:buffer";

/** The data about one file in the archive's headers. */
export interface ZipFile {
  readonly path: Buffer;
  readonly modified: Date;
  readonly isDeflated: boolean;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** The offset of its local header. */
  readonly offset: number;
  /** The sizes come after the content, because they were not known before it. */
  readonly isStreamed: boolean;
}

const MAX16 = 0xffff;
const MAX32 = 0xffffffff;
/** Names are UTF-8. */
const UTF8 = 1 << 11;
const SIZES_FOLLOW = 1 << 3;
/** A regular file that its owner may write and everybody may read, in the upper half of the attributes (Unix). */
const REGULAR_FILE = 0o100644 * 0x10000;
const VERSION = 20;
const VERSION_64 = 45;
const MADE_ON_UNIX = 3 << 8;

const dosTime = (time: Date): number =>
  (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
const dosDate = (time: Date): number => {
  const year = Math.min(Math.max(time.getUTCFullYear(), 1980), 2107);
  return ((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
};

const flagsOf = (file: ZipFile): number => UTF8 | (file.isStreamed ? SIZES_FOLLOW : 0);
const capped = (value: number): number => Math.min(value, MAX32);

/** Record 1: values that do not fit into 32 bits. */
function extra64(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return extra;
}

/** Comes before a file's content. If the sizes come later, leaves room for large ones. */
export function localHeader(file: ZipFile): Buffer {
  const isLarge = file.isStreamed || file.size >= MAX32 || file.packedSize >= MAX32;
  const extra = extra64(isLarge ? (file.isStreamed ? [0, 0] : [file.size, file.packedSize]) : []);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isLarge ? VERSION_64 : VERSION, 4);
  header.writeUInt16LE(flagsOf(file), 6);
  header.writeUInt16LE(file.isDeflated ? 8 : 0, 8);
  header.writeUInt16LE(dosTime(file.modified), 10);
  header.writeUInt16LE(dosDate(file.modified), 12);
  header.writeUInt32LE(file.isStreamed ? 0 : file.crc, 14);
  header.writeUInt32LE(isLarge ? MAX32 : file.packedSize, 18);
  header.writeUInt32LE(isLarge ? MAX32 : file.size, 22);
  header.writeUInt16LE(file.path.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, file.path, extra]);
}

/** Comes after the content of a streamed file. */
export function dataDescriptor({ crc, packedSize, size }: ZipFile): Buffer {
  const record = Buffer.alloc(24);
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc, 4);
  record.writeBigUInt64LE(BigInt(packedSize), 8);
  record.writeBigUInt64LE(BigInt(size), 16);
  return record;
}

/** A file's entry in the directory at the end of the archive. */
export function directoryEntry(file: ZipFile): Buffer {
  const large = [file.size, file.packedSize, file.offset].filter((value) => value >= MAX32);
  const extra = extra64(large);
  const version = large.length > 0 || file.isStreamed ? VERSION_64 : VERSION;
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(MADE_ON_UNIX | version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flagsOf(file), 8);
  entry.writeUInt16LE(file.isDeflated ? 8 : 0, 10);
  entry.writeUInt16LE(dosTime(file.modified), 12);
  entry.writeUInt16LE(dosDate(file.modified), 14);
  entry.writeUInt32LE(file.crc, 16);
  entry.writeUInt32LE(capped(file.packedSize), 20);
  entry.writeUInt32LE(capped(file.size), 24);
  entry.writeUInt16LE(file.path.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(REGULAR_FILE, 38);
  entry.writeUInt32LE(capped(file.offset), 42);
  return Buffer.concat([entry, file.path, extra]);
}

interface Directory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/** The end of the archive: the location of the directory, also in the long form if the short one is too small. */
export function endRecords({ count, size, offset }: Directory): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX16), 8);
  end.writeUInt16LE(Math.min(count, MAX16), 10);
  end.writeUInt32LE(capped(size), 12);
  end.writeUInt32LE(capped(offset), 16);
  if (count < MAX16 && size < MAX32 && offset < MAX32) return end;
  const long = Buffer.alloc(56);
  long.writeUInt32LE(0x06064b50, 0);
  long.writeBigUInt64LE(44n, 4);
  long.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 12);
  long.writeUInt16LE(VERSION_64, 14);
  long.writeBigUInt64LE(BigInt(count), 24);
  long.writeBigUInt64LE(BigInt(count), 32);
  long.writeBigUInt64LE(BigInt(size), 40);
  long.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([long, locator, end]);
}
