import { posix } from "node:path";
import type { Node } from "@svc/document/types";
import type { ImportFormat } from "../import-format.ts";
import { cleanTitle, type PlannedFolder } from "../plan.ts";

/** A parsed page of an archive; links and images still have their source addresses. */
export interface ReadPage {
  readonly title?: string;
  /** Validated YAML lines including the fences. */
  readonly frontMatter: string;
  readonly blocks: readonly Node[];
  readonly warnings: readonly string[];
  /** The Markdown source of the blocks, if its style is preserved. */
  readonly source?: string;
}

/** The archive format of one program: which files are pages, their titles, and how to read them. */
export interface Dialect {
  readonly format: ImportFormat;
  /** Paths of the files that become documents, in order. */
  readonly pages: readonly string[];
  readonly folders: readonly PlannedFolder[];
  /** The knowledge base's name, if the archive has one. */
  readonly name: string | undefined;
  titleOf(path: string): string;
  folderOf(path: string): string | null;
  /** The file name without its extension, for a page that keeps it. */
  fileNameOf?(path: string): string | undefined;
  read(path: string): Promise<ReadPage>;
  /** The directory that holds all pages; addresses of pages may be relative to it. */
  readonly top?: string;
  /** Files that people added beside the pages. Those that no page shows or links to are skipped and reported. */
  readonly files?: readonly string[];
  /** Other names of a page, from its properties. */
  aliasesOf?(path: string): Promise<readonly string[]>;
  /** Resolves an address that is not the path of a page. */
  pageAt?(href: string, from: string): string | undefined;
}

/** Folders from the paths of pages; a single folder that holds everything becomes the knowledge base itself. */
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

/** `..md` is the page of the command `.`, not a hidden file. */
const isDotsOnly = (name: string): boolean => /^\.{2,}md$/i.test(name);

/** Files left behind by archivers and editors. */
export const isClutter = (path: string): boolean =>
  path.split("/").some((step) => step === "__MACOSX" || (step.startsWith(".") && !isDotsOnly(step)));

/** Normalized to NFC, because macOS writes names in decomposed form. */
export const withoutEnding = (path: string): string =>
  posix
    .basename(path)
    .replace(/\.\w+$/, "")
    .normalize("NFC");
