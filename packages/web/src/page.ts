import type { Html } from "./html.ts";
import type { Look } from "./look.ts";

/** What a page function gives: everything inside the frame. */
export interface Page {
  readonly title: string;
  readonly main: Html;
  /** `narrow`: one card in the middle, for signing in and the like. */
  readonly shape?: "narrow" | "wide";
  /** Scripts beyond those every page has. */
  readonly scripts?: readonly string[];
  /** What its scripts fetch first, begun with the page itself. */
  readonly preloads?: readonly string[];
  /** Rules for classes of this page alone; the page's policy names their hash. */
  readonly css?: string;
  /** Stylesheets beyond those every page has. */
  readonly styles?: readonly string[];
  /** Where the page stands in the tree, if it stands in it. */
  readonly here?: Here;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A place in the tree: from the knowledge base down. */
export interface Here {
  readonly baseId: number;
  readonly folders: readonly Named[];
  readonly document?:
    | { readonly id: string; readonly title: string; readonly type: "document" | "spreadsheet" }
    | undefined;
}

/** A knowledge base in the tree, with what its scripts may offer there. */
export interface SideBase extends Named {
  /** By the role in this knowledge base, not by that in the workspace. */
  readonly mayWrite: boolean;
}

export interface PersonalItem {
  readonly id: string;
  readonly title: string;
  readonly type: "document" | "spreadsheet";
}

/** What the sidebar shows beside the ways around. */
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

/** The signed-in person and where they are. */
export interface Viewer {
  readonly name: string;
  readonly email: string;
  readonly picture?: string | undefined;
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
}

/** What the frame around a page needs to know. */
export interface Frame {
  readonly viewer: Viewer | undefined;
  /** Goes into every form: proves that the form came from here. */
  readonly formToken: string;
  readonly path: string;
  readonly notice: string | undefined;
  readonly look?: Look | undefined;
  /** Of a page that answers a form: its address when it is read again. */
  readonly readAt?: string | undefined;
  /** Id of the workspace's newest event, read before the page was: its scripts follow what comes behind it. Absent: what comes from now on. */
  readonly newestEvent?: number | undefined;
  /** Absent where nobody is signed in, and where it could not be read. */
  readonly side?: Side | undefined;
}
