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
  const byText = Map.groupBy(fresh.values(), ({ text }) => text);
  for (const { id, base } of missing()) {
    const equal = base === "" ? [] : (byText.get(base) ?? []).filter(({ path }) => fresh.has(path));
    if (equal.length === 1) claim(id, equal[0]);
  }
  for (const { id, path } of missing()) claim(id, fresh.get(path));
  const lost = missing();
  if (lost.length === 0 || fresh.size === 0) return { files, fresh };
  const candidates = new Candidates([...fresh.values()]);
  for (const { id, base } of lost)
    claim(
      id,
      candidates.mostAlike(base, ({ path }) => fresh.has(path)),
    );
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

/** Files by their lines, so that finding the one that shares most does not take a look at every other. */
class Candidates {
  readonly #files: readonly LocalFile[];
  readonly #sizes: number[] = [];
  readonly #holders = new Map<string, number[]>();

  constructor(files: readonly LocalFile[]) {
    this.#files = files;
    for (const [at, { text }] of files.entries()) {
      const lines = linesOf(text ?? "");
      this.#sizes.push(lines.size);
      for (const line of lines) {
        const holders = this.#holders.get(line);
        if (holders) holders.push(at);
        else this.#holders.set(line, [at]);
      }
    }
  }

  /** The first that says the same, or else of those that share at least half of their lines the one that shares most. */
  mostAlike(base: string, isFree: (file: LocalFile) => boolean): LocalFile | undefined {
    const wanted = linesOf(base);
    const common = new Map<number, number>();
    for (const line of wanted)
      for (const at of this.#holders.get(line) ?? []) common.set(at, (common.get(at) ?? 0) + 1);
    const ranked = [...common]
      .map(([at, count]) => ({ at, share: count / Math.max(wanted.size, this.#sizes[at] ?? 0) }))
      .filter(({ share }) => share >= ALIKE)
      .sort((a, b) => b.share - a.share || a.at - b.at)
      .flatMap(({ at }) => this.#files[at] ?? [])
      .filter(isFree);
    return this.#files.find((file) => file.text === base && isFree(file)) ?? ranked[0];
  }
}
