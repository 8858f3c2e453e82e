import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The Markdown of the manual, as it lies in the repository. */
const PATTERNS = ["*.md", "docs/**/*.md", "deploy/*.md", "packages/*/*.md", "packages/*/src/**/*.md"];

/** Pictures that the manual shows. */
const PICTURES = /^docs\/[\w/-]+\.png$/;

const hasManual = (folder: string): boolean => existsSync(join(folder, "docs/rules.md"));

/**
 * The folder with the manual's files: the repository, or `manual/` of a packed package, into which `npm run docs -- --pack`
 * copies them. Undefined where neither is there.
 */
export function manualFolder(from: string = import.meta.dirname): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = [folder, join(folder, "manual")].find(hasManual);
    if (found || dirname(folder) === folder) return found;
  }
}

/** Paths of all Markdown files, README.md first. */
export function manualFiles(folder: string): string[] {
  const isOurs = (path: string) => !path.includes("node_modules/");
  const files = globSync(PATTERNS, { cwd: folder }).filter(isOurs).sort();
  return ["README.md", ...files.filter((file) => file !== "README.md")];
}

export const readManualFile = (folder: string, file: string): string => readFileSync(join(folder, file), "utf8");

/** A picture by its path in the repository; undefined for anything else. */
export function readPicture(folder: string, path: string): Buffer | undefined {
  if (!PICTURES.test(path) || !existsSync(join(folder, path))) return undefined;
  return readFileSync(join(folder, path));
}
