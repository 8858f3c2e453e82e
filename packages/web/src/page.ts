import type { Html } from "./html.ts";

/** What a page function gives: everything inside the frame. */
export interface Page {
  readonly title: string;
  readonly main: Html;
  /** `narrow`: one card in the middle, for signing in and the like. */
  readonly shape?: "narrow" | "wide";
  /** Scripts beyond those every page has. */
  readonly scripts?: readonly string[];
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
}
