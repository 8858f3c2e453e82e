/** What the comments and the editor of one page tell each other, as events of the document: they are scripts of their own. */

/** The comments have changed: other blocks may be talked about. */
export const THREADS_CHANGED = "svc-threads";

/** The person wants to comment on what they selected in the editor. */
export const COMMENT_ON = "svc-comment-on";

/** A passage of a top-level block. */
export interface Passage {
  readonly blockId: string;
  readonly quote: string;
}

/** Where the editor shows a block that is talked about. */
export const COMMENTED = "data-commented";

/** The form for a new comment; there is none for who may not talk. */
export const newComment = (): HTMLDetailsElement | null => document.querySelector("[data-new-comment]");

/** The editor of the page, if it is one to write on. */
export const editorOnPage = (): HTMLElement | null => document.querySelector("[data-live-editor]");
