import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { type Archive, finder } from "../../../archives/open-archive.ts";
import { ImportRefused } from "../../../archives/refused.ts";

/** A single file as an archive with one entry. */
export async function singleFile(file: string, name: string): Promise<Archive> {
  const { size } = await stat(file);
  return {
    paths: [name],
    has: (path) => path === name,
    find: finder([name]),
    sizeOf: () => size,
    async *content() {
      yield* createReadStream(file);
    },
    async read(_path, maxBytes) {
      if (size > maxBytes) throw new ImportRefused("archive_too_large", `The file is larger than ${maxBytes} bytes.`);
      return readFile(file);
    },
    close: () => undefined,
  };
}
