import { withoutAnchors } from "./anchored-text.ts";
import type { DocumentRecord } from "./store.ts";

export interface LocalFile {
  readonly path: string;
  /** Null when the file is not UTF-8: then it is left alone. */
  readonly text: string | null;
}

interface Matched {
  /** The file of each document that has one. */
  readonly files: Map<string, LocalFile>;
  /** Files that belong to no document yet, by path. */
  readonly fresh: Map<string, LocalFile>;
}

/**
 * Which file belongs to which document: the one at its path that says much the same; else, of files that belong to none,
 * the one with the same text, the one at its path, or the one that shares most of its lines, at least half. So a document
 * is found again under another name, also with edits.
 */
export function matchFiles(records: Iterable<DocumentRecord>, locals: readonly LocalFile[]): Matched {
  const known = [...records];
  const fresh = new Map(locals.map((file) => [file.path, file]));
  const files = new Map<string, LocalFile>();
  const claim = (id: string, file: LocalFile | undefined) => {
    if (!file || files.has(id) || !fresh.delete(file.path)) return;
    files.set(id, file);
  };
  const missing = () => known.filter(({ id }) => !files.has(id));
  for (const { id, path, base } of known) if (isAlike(base, fresh.get(path))) claim(id, fresh.get(path));
  for (const { id, base } of missing()) {
    const equal = base === "" ? [] : [...fresh.values()].filter(({ text }) => text === base);
    if (equal.length === 1) claim(id, equal[0]);
  }
  for (const { id, path } of missing()) claim(id, fresh.get(path));
  for (const { id, base } of missing()) claim(id, mostAlike(base, [...fresh.values()]));
  return { files, fresh };
}

const linesOf = (text: string): ReadonlySet<string> =>
  new Set(
    withoutAnchors(text)
      .split("\n")
      .filter((line) => line.trim() !== ""),
  );

/** The share of lines that two texts have in common. */
function alikeness(base: string, { text }: LocalFile): number {
  if (text === base) return 1;
  const [wanted, lines] = [linesOf(base), linesOf(text ?? "")];
  return [...lines].filter((line) => wanted.has(line)).length / Math.max(wanted.size, lines.size, 1);
}

const ALIKE = 0.5;
const isAlike = (base: string, file: LocalFile | undefined): boolean =>
  file !== undefined && alikeness(base, file) >= ALIKE;

function mostAlike(base: string, files: readonly LocalFile[]): LocalFile | undefined {
  const ranked = files.map((file) => ({ file, share: alikeness(base, file) })).sort((a, b) => b.share - a.share);
  return ranked[0] && ranked[0].share >= ALIKE ? ranked[0].file : undefined;
}
