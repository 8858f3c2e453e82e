import { posix } from "node:path";
import type { Node } from "@svc/document/types";
import { cleanTitle, type PlannedFolder } from "../plan.ts";

export const IMPORT_FORMATS = ["svc", "markdown", "obsidian", "notion", "confluence", "html", "word"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A page of an archive as it was read; links and pictures still have the addresses of the source. */
export interface ReadPage {
  readonly title?: string;
  /** Lines of YAML with their fences, checked. */
  readonly frontMatter: string;
  readonly blocks: readonly Node[];
  readonly warnings: readonly string[];
  /** The Markdown that the blocks were read from, where it is kept as it was written. */
  readonly source?: string;
}

/** What the archive of one program looks like: which of its files are pages, how they are called, and how one is read. */
export interface Dialect {
  readonly format: ImportFormat;
  /** Paths of what becomes documents, in order. */
  readonly pages: readonly string[];
  readonly folders: readonly PlannedFolder[];
  /** The knowledge base's name, where the archive names one. */
  readonly name: string | undefined;
  titleOf(path: string): string;
  folderOf(path: string): string | null;
  read(path: string): Promise<ReadPage>;
  /** The directory that holds all pages, where addresses of pages may begin. */
  readonly top?: string;
  /** What people put beside the pages: files that no page shows or links to are left out, and named. */
  readonly files?: readonly string[];
  /** Other names of a page, as its properties name them. */
  aliasesOf?(path: string): Promise<readonly string[]>;
  /** The page that an address means which is not a path to it. */
  pageAt?(href: string, from: string): string | undefined;
}

/** Folders as the paths of pages have them; a single one that holds everything is the knowledge base itself. */
export function foldersByPath(pages: readonly string[], nameOf: (step: string) => string) {
  const top = commonTop(pages);
  const folderOf = (path: string): string | null => {
    const folder = posix.dirname(path);
    return folder === "." || `${folder}/` === top ? null : folder;
  };
  const folders = new Map<string, PlannedFolder>();
  const add = (key: string | null): void => {
    if (key === null || folders.has(key)) return;
    const parentKey = folderOf(key);
    add(parentKey);
    folders.set(key, { key, parentKey, name: cleanTitle(nameOf(posix.basename(key)).normalize("NFC")) });
  };
  for (const path of pages) add(folderOf(path));
  return { folders: [...folders.values()], folderOf, top, name: top === "" ? undefined : nameOf(top.slice(0, -1)) };
}

function commonTop(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return top !== "" && paths.every((path) => path.startsWith(top)) ? top : "";
}

/** What archivers and editors leave behind. */
export const isClutter = (path: string): boolean =>
  path.split("/").some((step) => step === "__MACOSX" || step.startsWith("."));

/** Macs write names in another form of letters than people type. */
export const withoutEnding = (path: string): string =>
  posix
    .basename(path)
    .replace(/\.\w+$/, "")
    .normalize("NFC");
