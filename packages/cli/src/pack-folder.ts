import { existsSync, openAsBlob } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { CommandError } from "./command-error.ts";
import { EXIT } from "./exit-codes.ts";
import { isHidden, isMarkdown } from "./sync/names.ts";

const MAX32 = 0xffffffff;
const MAX_FILES = 65_000;
/** Names are UTF-8. */
const UTF8 = 1 << 11;

/** A folder as one file to send. Links and hidden files stay out, except for the folder by which a vault is known. */
interface PackedFolder {
  readonly content: Blob;
  readonly fileName: string;
  /** Descriptions of skipped files. */
  readonly leftOut: readonly string[];
  remove(): Promise<void>;
}

export async function packFolder(folder: string): Promise<PackedFolder> {
  const work = await mkdtemp(join(tmpdir(), "svc-pack-"));
  const remove = () => rm(work, { recursive: true, force: true });
  try {
    const file = join(work, "folder.zip");
    const leftOut: string[] = [];
    await writeArchive(file, folder, await listFiles(folder, leftOut));
    return { content: await openAsBlob(file), fileName: `${basename(resolve(folder))}.zip`, leftOut, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Stands in a name for bytes that are not UTF-8. Such a file cannot be opened by name. */
const NO_LETTER = "\uFFFD";

/** Paths below the folder, with `/`, in order. */
async function listFiles(folder: string, leftOut: string[], below = ""): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (isHidden(entry.name) && path !== ".obsidian") {
      if (entry.isFile() && isMarkdown(entry.name)) leftOut.push(`${path}: left out, as its name begins with a dot.`);
      continue;
    }
    if (entry.isSymbolicLink()) leftOut.push(`${path}: left out, as it is a link.`);
    else if (entry.name.includes(NO_LETTER) && !existsSync(join(folder, path)))
      leftOut.push(`${path}: left out, as its name is not UTF-8.`);
    else if (entry.isDirectory()) found.push(...(await listFiles(folder, leftOut, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

async function writeArchive(target: string, folder: string, paths: readonly string[]): Promise<void> {
  if (paths.length > MAX_FILES) throw tooLarge(`it has more than ${MAX_FILES} files`);
  const file = await open(target, "wx", 0o600);
  try {
    const directory: Buffer[] = [];
    let offset = 0;
    for (const path of paths) {
      const content = await readFile(join(folder, path));
      const packed = deflateRawSync(content);
      const fields = fieldsOf(Buffer.from(path), content, packed);
      const header = Buffer.concat([signature(0x04034b50), fields, Buffer.from(path)]);
      await file.writeFile(Buffer.concat([header, packed]));
      directory.push(directoryEntry(fields, path, offset));
      offset += header.length + packed.length;
      if (offset > MAX32) throw tooLarge("it is larger than 4 GB");
    }
    const size = directory.reduce((sum, entry) => sum + entry.length, 0);
    await file.writeFile(Buffer.concat([...directory, endRecord(paths.length, size, offset)]));
  } finally {
    await file.close();
  }
}

const tooLarge = (why: string): CommandError =>
  new CommandError(EXIT.usage, `This folder cannot be sent as one archive: ${why}. Import its parts one by one.`);

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Fields that both headers of a file share: compression, checksum, sizes and name length. */
function fieldsOf(path: Buffer, content: Uint8Array, packed: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(UTF8, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(path.length, 22);
  return fields;
}

function directoryEntry(fields: Buffer, path: string, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), fields, rest, Buffer.from(path)]);
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}
