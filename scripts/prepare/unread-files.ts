/** Installed files that nobody reads. They are a quarter of `node_modules`. */
import { globSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** C headers of Node, maps of other people's sources, and encodings and copies of the tokenizer that no test uses. */
const UNREAD = [
  "node/**/{include,share}",
  "**/*.map",
  "gpt-tokenizer/{cjs,data,src}",
  "gpt-tokenizer/esm/bpeRanks/!(o200k_base*)",
];

export function removeUnread(folder = join(root, "node_modules")): void {
  for (const pattern of UNREAD)
    for (const path of globSync(pattern, { cwd: folder })) rmSync(join(folder, path), { recursive: true, force: true });
}
