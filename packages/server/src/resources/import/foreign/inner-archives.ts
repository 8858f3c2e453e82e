import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Archive, type ArchiveLimits, finder, openArchive } from "../open-archive.ts";
import { ImportRefused } from "../refused.ts";
import { isClutter } from "./dialect.ts";
import { isWord } from "./word.ts";

const MOST_INNER = 1000;

/**
 * The archive with the archives in it opened: where it has nothing but ZIP files, as large exports of Notion do, their
 * files stand in their place; the parts of a Word file stand below `its path!/`. Archives in those stay closed.
 */
export async function openInner(archive: Archive, folder: string, limits: ArchiveLimits): Promise<Archive> {
  const files = archive.paths.filter((path) => !isClutter(path));
  const isZip = (path: string) => /\.zip$/i.test(path);
  const unpacks = files.length > 0 && files.every(isZip);
  const wanted = unpacks ? files : files.filter(isWord);
  if (wanted.length === 0) return archive;
  if (wanted.length > MOST_INNER)
    throw new ImportRefused("archive_too_large", `The archive has more than ${MOST_INNER} archives in it.`);
  const inner: Archive[] = [];
  const places = new Map<string, { readonly archive: Archive; readonly path: string }>();
  if (!unpacks) for (const path of archive.paths) places.set(path, { archive, path });
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
        if (!places.has(key)) places.set(key, { archive: opened, path: part });
      }
    }
  } catch (error) {
    close();
    throw error;
  }
  return joined(places, archive, close);
}

function joined(
  places: ReadonlyMap<string, { readonly archive: Archive; readonly path: string }>,
  outer: Archive,
  close: () => void,
): Archive {
  const placeOf = (path: string) => places.get(path) ?? { archive: outer, path };
  const paths = [...places.keys()];
  return {
    paths,
    has: (path) => places.has(path),
    find: finder(paths),
    sizeOf: (path) => placeOf(path).archive.sizeOf(placeOf(path).path),
    content: (path) => placeOf(path).archive.content(placeOf(path).path),
    read: (path, maxBytes) => placeOf(path).archive.read(placeOf(path).path, maxBytes),
    close,
  };
}
