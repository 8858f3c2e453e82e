import type { FolderStep, Named } from "../../../shared/page.ts";
import type { Watch } from "../discussion/watch.ts";

/** The facts about a document that every page about it shows. */
export interface DocumentHead {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
  readonly locale: string | null;
  readonly updatedAt: number;
  /** The name of the last editor; null if unknown. */
  readonly updatedBy: string | null;
  readonly characters: number;
  /** New pages can start as a copy of it. */
  readonly isTemplate: boolean;
  /** Headings are numbered, as the document says. */
  readonly isNumbered: boolean;
  /** A sign before the title: the property `icon`. */
  readonly icon: string;
  /** Text as wide as the window: the property `full_width`. */
  readonly isWide: boolean;
  /** The pages below are not listed at the end: the property `hide_subpages`. */
  readonly hidesSubpages: boolean;
  /** The colour behind the text, as `#rrggbb`; empty for none. */
  readonly background: string;
  /** Headings whose sections are folded, as a JSON list of their ids. */
  readonly collapsed: string;
  readonly knowledgeBase: Named;
  readonly folders: readonly FolderStep[];
  readonly canWrite: boolean;
  readonly isFavourite: boolean;
  readonly openSuggestions: number;
  readonly maySuggest: boolean;
  readonly watch: Watch;
}

export type DocumentPart = "read" | "edit" | "file" | "versions" | "translations" | "suggestions" | "suggest";
