import type { Html } from "./html.ts";
import type { Look } from "./look.ts";

/** The result of a page function: everything inside the frame. */
export interface Page {
  readonly title: string;
  readonly main: Html;
  /** `narrow`: one card in the middle, for signing in and the like. `settings`: beside the list of all settings. */
  readonly shape?: "narrow" | "wide" | "settings";
  /** Scripts beyond those every page has. */
  readonly scripts?: readonly string[];
  /** Requests that its scripts make first, preloaded with the page. */
  readonly preloads?: readonly string[];
  /** Rules for classes of this page alone; the page's policy names their hash. */
  readonly css?: string;
  /** Stylesheets beyond those every page has. */
  readonly styles?: readonly string[];
  /** The page's position in the tree, if it has one. */
  readonly here?: Here;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A folder on the way to a page. */
export interface FolderStep extends Named {
  /** Its index page, which the tree shows in its place. */
  readonly page?: string | undefined;
}

/** A place in the tree: from the knowledge base down. */
export interface Here {
  readonly baseId: number;
  readonly folders: readonly FolderStep[];
  readonly document?:
    | { readonly id: string; readonly title: string; readonly type: "document" | "spreadsheet" }
    | undefined;
}

/** A knowledge base in the tree, with the rights its scripts need. */
export interface SideBase extends Named {
  /** By the role in this knowledge base, not in the workspace. */
  readonly mayWrite: boolean;
}

export interface PersonalItem {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
}

/** The sidebar's content beside navigation. */
export interface Side {
  readonly bases: readonly SideBase[];
  readonly favourites: readonly PersonalItem[];
  readonly recent: readonly PersonalItem[];
  /** Notifications that are unread, counted up to a hundred. */
  readonly unread: number;
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export type Role = "owner" | "editor" | "viewer";

/** The signed-in person and their workspace. */
export interface Viewer {
  readonly name: string;
  readonly email: string;
  readonly picture?: string | undefined;
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
}

/** A form with one button. */
export interface Undo {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The input of the frame around a page. */
export interface Frame {
  readonly viewer: Viewer | undefined;
  /** Part of every form; proves that the form came from here. */
  readonly formToken: string;
  readonly path: string;
  readonly notice: string | undefined;
  /** Undoes the action that the notice reports. */
  readonly undo?: Undo | undefined;
  readonly look?: Look | undefined;
  /** The browser has loaded the font before, so that a page may use it from its first paint. */
  readonly hasFont?: boolean | undefined;
  /** For a page that answers a form: its address for reloading. */
  readonly readAt?: string | undefined;
  /**
   * Id of the workspace's newest event, read before the page; its scripts follow later ones. Absent: they follow from
   * now on.
   */
  readonly newestEvent?: number | undefined;
  /** Absent if nobody is signed in, or if it could not be read. */
  readonly side?: Side | undefined;
}
