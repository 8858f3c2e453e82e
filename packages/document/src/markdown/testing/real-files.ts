import { hash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const repository = join(import.meta.dirname, "../../../../..");

/** Places on most machines with Markdown that people wrote: installed packages and system documentation. */
const roots = [
  repository,
  join(dirname(process.execPath), "../lib/node_modules"),
  "/usr/lib/node_modules",
  "/usr/share/doc",
];

export interface RealFile {
  readonly path: string;
  readonly text: string;
}

const MAX_BYTES = 100_000;

/** At most `count` different Markdown files of this machine, chosen by a seed; fewer where it has fewer. */
export function realFiles(count: number, seed: number): RealFile[] {
  const rank = (path: string): string => hash("sha256", `${seed} ${path}`);
  const paths = roots.flatMap((root) => globSync("**/*.{md,markdown}", { cwd: root }).map((path) => join(root, path)));
  const found = new Map<string, string>();
  for (const { path } of paths.map((path) => ({ path, rank: rank(path) })).sort((a, b) => (a.rank < b.rank ? -1 : 1))) {
    if (found.size === count) break;
    const text = readText(path);
    if (text !== undefined && !found.has(text)) found.set(text, path);
  }
  return [...found].map(([text, path]) => ({ path, text }));
}

/** Undefined for what is no file, is long, or is not UTF-8. */
function readText(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch {
    return undefined;
  }
}
