import type { Transaction } from "@tiptap/pm/state";

const REMOTE = "live$remote";
const WINDOW = "live$window";

/** Marks a transaction that shows changes from the live state: it is not sent back. */
export const markRemote = (tr: Transaction): Transaction => tr.setMeta(REMOTE, true).setMeta("addToHistory", false);
export const isRemote = (tr: Transaction): boolean => tr.getMeta(REMOTE) === true;

/** Marks a transaction that only shows another part of the document. */
export const markWindow = (tr: Transaction): Transaction => markRemote(tr).setMeta(WINDOW, true);
export const isWindow = (tr: Transaction): boolean => tr.getMeta(WINDOW) === true;
