import { blockIds } from "./anchored-text.ts";
import type { DocumentRecord } from "./store.ts";

export interface LocalFile {
  readonly path: string;
  /** Null when the file is not UTF-8: then it is left alone. */
  readonly text: string | null;
}

export interface Matched {
  /** The file of each document that has one. */
  readonly files: Map<string, LocalFile>;
  /** Files that belong to no document yet, by path. */
  readonly fresh: Map<string, LocalFile>;
}

/**
 * Which file belongs to which document. A file says it by the anchors in it, so a document is found again under another
 * name, also with edits; where anchors say nothing, the path does, and then an unchanged text.
 */
export function matchFiles(records: Iterable<DocumentRecord>, locals: readonly LocalFile[]): Matched {
  const known = [...records];
  const owners = new Map(known.flatMap(({ id, base }) => blockIds(base).map((block) => [block, id] as const)));
  const fresh = new Map(locals.map((file) => [file.path, file]));
  const files = new Map<string, LocalFile>();
  const ownerOf = new Map(locals.map((file) => [file.path, majority(file, owners)]));
  const claim = (id: string, file: LocalFile | undefined) => {
    if (!file || files.has(id) || !fresh.delete(file.path)) return;
    files.set(id, file);
  };
  for (const { id, path } of known) {
    const owner = ownerOf.get(path);
    if (owner === undefined || owner === id) claim(id, fresh.get(path));
  }
  const missing = () => known.filter(({ id }) => !files.has(id));
  for (const { id, base } of missing()) {
    const candidates = [...fresh.values()].filter(({ path }) => ownerOf.get(path) === id);
    claim(id, candidates.find(({ text }) => text === base) ?? candidates[0]);
  }
  for (const { id, path } of missing()) claim(id, fresh.get(path));
  for (const { id, base } of missing()) {
    const equal = base === "" ? [] : [...fresh.values()].filter(({ text }) => text === base);
    if (equal.length === 1) claim(id, equal[0]);
  }
  return { files, fresh };
}

/** The document that most of a file's anchors belong to. */
function majority({ text }: LocalFile, owners: ReadonlyMap<string, string>): string | undefined {
  const counts = new Map<string, number>();
  for (const block of blockIds(text ?? "")) {
    const owner = owners.get(block);
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
