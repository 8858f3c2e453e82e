import { posix } from "node:path";
import type { ImportFormat } from "../import-format.ts";

/** Number of pages sampled for links; in a larger folder, every nth page. */
const SAMPLE = 300;

const BY_NAME = /\[\[([^[\]|#\n]{1,200})/g;
const BY_PATH = /\]\(<?(?![a-z][a-z0-9+.-]*:)[^()\n]{1,500}?\.md[)#>]/gi;

interface Folder {
  /** Including hidden files. */
  readonly paths: readonly string[];
  readonly pages: readonly string[];
  readonly read: (path: string) => Promise<string>;
  /** Whether a wiki link with this name leads to a page. */
  readonly isPage: (name: string, from: string) => boolean;
}

/**
 * Detects which program a folder of Markdown files belongs to. Git repositories often omit a vault's settings, so a
 * folder also counts as a vault if its pages link to each other by name more often than by path.
 */
export async function vaultKind({ paths, pages, read, isPage }: Folder): Promise<ImportFormat> {
  if (paths.some((path) => /(?:^|\/)\.obsidian\//.test(path))) return "obsidian";
  if (paths.some((path) => /(?:^|\/)logseq\/config\.edn$/.test(path))) return "logseq";
  if (pages.some((path) => /^(?:[^/]+\/){0,2}SUMMARY\.md$/.test(path))) return "mdbook";
  let [byName, byPath] = [0, 0];
  for (const path of sampleOf(pages)) {
    const text = await read(path);
    for (const [, name = ""] of text.matchAll(BY_NAME)) if (isPage(name, path)) byName++;
    byPath += text.match(BY_PATH)?.length ?? 0;
  }
  return byName > byPath ? "obsidian" : "markdown";
}

const sampleOf = (pages: readonly string[]): readonly string[] => {
  const step = Math.ceil(pages.length / SAMPLE);
  return pages.filter((path, at) => at % step === 0 && !path.endsWith(".docx"));
};

/** The title of a Logseq page: `A___B.md` is the page `A/B`, and `%3A` is a colon. */
export function logseqTitle(name: string): string {
  const spaced = name.replaceAll("___", "/");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** The properties at the start of a Logseq page: lines of the form `name:: value`. */
export function logseqProperties(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/, 100)) {
    const [, name, value] = /^(?:- )?([\w-]{1,100}):: ?(.{0,2000})$/.exec(line) ?? [];
    if (name === undefined) {
      if (line.trim() === "" && found.size === 0) continue;
      break;
    }
    found.set(name.toLowerCase(), value?.trim() ?? "");
  }
  return found;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function ordinal(day: number): string {
  const isTeen = day > 10 && day < 14;
  return `${day}${(!isTeen && ["th", "st", "nd", "rd"][day % 10]) || "th"}`;
}

/** Other names of a Logseq page: its aliases, its path in the namespace and, for a journal page, its day. */
export function logseqNames(path: string, text: string): readonly string[] {
  const { alias, title } = Object.fromEntries(logseqProperties(text));
  const said = [alias, title].flatMap((names) => names?.split(",") ?? []);
  const [, year, month, day] = /^(\d{4})_(\d\d)_(\d\d)\.md$/.exec(posix.basename(path)) ?? [];
  const days =
    year === undefined
      ? []
      : [`${year}-${month}-${day}`, `${MONTHS[Number(month) - 1]} ${ordinal(Number(day))}, ${year}`];
  return [...said.map((name) => name.trim().replace(/^\[\[(.*)\]\]$/, "$1")), ...days].filter((name) => name !== "");
}
