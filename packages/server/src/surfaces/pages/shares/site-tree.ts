import type { Folder } from "../../../domain/library/folders/queries.ts";

/** One line of a site's tree, in display order. */
export interface SiteLine {
  /** 0 directly in the shared folder. */
  readonly depth: number;
  readonly title: string;
  /** The document's id; null for a folder. */
  readonly id: string | null;
}

/** The public site of a folder. */
export interface Site {
  readonly folder: Folder;
  /** The first lines of its tree. */
  readonly lines: readonly SiteLine[];
  readonly lineCount: number;
  /** Titles of its pages by id; the site contains nothing else. */
  readonly titles: ReadonlyMap<string, string>;
}
