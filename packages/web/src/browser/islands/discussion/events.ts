/** The events between the comments and the editor of one page, which are separate scripts. */

/** The comments have changed: other blocks may have comments. */
export const THREADS_CHANGED = "svc-threads";

/** The person wants to comment on their selection in the editor. */
export const COMMENT_ON = "svc-comment-on";

/** A passage of a top-level block. */
export interface Passage {
  readonly blockId: string;
  readonly quote: string;
}

/** Marks a commented block in the editor. */
export const COMMENTED = "data-commented";

/** The form for a new comment; null for people who may not comment. */
export const newComment = (): HTMLDetailsElement | null => document.querySelector("[data-new-comment]");

/** The editor of the page, if there is one. */
export const editorOnPage = (): HTMLElement | null => document.querySelector("[data-live-editor]");

/** A script has read this page anew: its text may have changed. */
export const PAGE_READ = "svc-page-read";
