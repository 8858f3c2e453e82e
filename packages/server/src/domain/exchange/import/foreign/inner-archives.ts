import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Archive, type ArchiveLimits, finder, openArchive } from "../../../../archives/open-archive.ts";
import { ImportRefused } from "../../../../archives/refused.ts";
import { isClutter } from "./dialect.ts";
import { isWord } from "./word.ts";

const MAX_INNER = 1000;

/**
 * Opens the archives inside an archive. If it holds only ZIP files, as large Notion exports do, their files replace
 * them. The parts of a Word file go below `its path!/`. Archives nested deeper stay closed.
 */
export async function openInner(archive: Archive, folder: string, limits: ArchiveLimits): Promise<Archive> {
  const files = archive.paths.filter((path) => !isClutter(path));
  const isZip = (path: string) => /\.zip$/i.test(path);
  const unpacks = files.length > 0 && files.every(isZip);
  const wanted = unpacks ? files : files.filter(isWord);
  if (wanted.length === 0) return archive;
  if (wanted.length > MAX_INNER)
    throw new ImportRefused("archive_too_large", `The archive has more than ${MAX_INNER} archives in it.`);
  const inner: Archive[] = [];
  const entries = new Map<string, { readonly archive: Archive; readonly path: string }>();
  if (!unpacks) for (const path of archive.paths) entries.set(path, { archive, path });
  const close = () => {
    for (const one of [...inner, archive]) one.close();
  };
  try {
    let left = limits.maxBytes;
    for (const [n, path] of wanted.entries()) {
      const file = join(folder, `inner-${n}.zip`);
      await pipeline(Readable.from(archive.content(path)), createWriteStream(file, { mode: 0o600 }));
      const opened = await openArchive(file, { ...limits, maxBytes: left });
      inner.push(opened);
      for (const part of opened.paths) {
        left -= opened.sizeOf(part);
        const key = unpacks ? part : `${path}!/${part}`;
        if (!entries.has(key)) entries.set(key, { archive: opened, path: part });
      }
    }
  } catch (error) {
    close();
    throw error;
  }
  return joined(entries, archive, close);
}

function joined(
  entries: ReadonlyMap<string, { readonly archive: Archive; readonly path: string }>,
  outer: Archive,
  close: () => void,
): Archive {
  const locate = (path: string) => entries.get(path) ?? { archive: outer, path };
  const paths = [...entries.keys()];
  return {
    paths,
    has: (path) => entries.has(path),
    find: finder(paths),
    sizeOf: (path) => locate(path).archive.sizeOf(locate(path).path),
    content: (path) => locate(path).archive.content(locate(path).path),
    read: (path, maxBytes) => locate(path).archive.read(locate(path).path, maxBytes),
    close,
  };
}
