import { posix } from "node:path";
import { wikiPage } from "@svc/document/markdown/rules/wiki-link";
import { titleKey } from "../../library/documents/title-key.ts";

/** Finds files of an archive by name, as wiki links name them: with or without folders. */
export class FileNames {
  readonly #documents: ReadonlySet<string>;
  readonly #pages: ReadonlyMap<string, string[]>;
  readonly #files: ReadonlyMap<string, string[]>;

  constructor(paths: readonly string[], documents: ReadonlySet<string>) {
    this.#documents = documents;
    this.#pages = Map.groupBy(documents, (path) => titleKey(posix.basename(path).replace(/\.\w+$/, "")));
    const others = paths.filter((path) => !documents.has(path));
    this.#files = Map.groupBy(others, (path) => titleKey(posix.basename(path)));
  }

  /** Resolves a wiki link to a document and heading. A link with only a heading refers to the same file. */
  page(target: string, from: string): { readonly target: string; readonly fragment: string } | undefined {
    const { folders, page, heading } = wikiPage(target);
    if (page === "") return this.#documents.has(from) ? { target: from, fragment: heading } : undefined;
    const found = nearest(this.#pages.get(titleKey(page)) ?? [], folders, from);
    return found === undefined ? undefined : { target: found, fragment: heading };
  }

  /** The file that an embed names, if it is not a page. */
  file(target: string, from: string): string | undefined {
    const steps = target.split("#")[0]!.split("/");
    const name = steps.pop()!.trim();
    return nearest(this.#files.get(titleKey(name)) ?? [], steps, from);
  }
}

/** Among files with the same name: the one in the named folders, else the one next to the link, else the first. */
function nearest(paths: readonly string[], folders: readonly string[], from: string): string | undefined {
  const below = folders.length === 0 ? "" : `${titleKey(folders.join("/"))}/`;
  const fits = paths.filter((path) => below === "" || `/${titleKey(posix.dirname(path))}/`.endsWith(`/${below}`));
  return fits.find((path) => posix.dirname(path) === posix.dirname(from)) ?? fits.toSorted()[0];
}
