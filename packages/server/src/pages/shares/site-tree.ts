import type { Folder } from "../../resources/folders/queries.ts";

/** One line of a site's tree, in the order in which it is shown. */
export interface SiteLine {
  /** 0 directly in the folder that is shared. */
  readonly depth: number;
  readonly title: string;
  /** Of a document; null for a folder. */
  readonly id: string | null;
}

/** The public site of a folder. */
export interface Site {
  readonly folder: Folder;
  /** The first of its tree. */
  readonly lines: readonly SiteLine[];
  readonly lineCount: number;
  /** Titles of its pages by id: nothing else is there. */
  readonly titles: ReadonlyMap<string, string>;
}
