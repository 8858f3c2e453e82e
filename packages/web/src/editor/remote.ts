import type { Transaction } from "@tiptap/pm/state";

const REMOTE = "live$remote";

/** Marks a transaction that shows what came from the live state: it is not sent back. */
export const markRemote = (tr: Transaction): Transaction => tr.setMeta(REMOTE, true).setMeta("addToHistory", false);
export const isRemote = (tr: Transaction): boolean => tr.getMeta(REMOTE) === true;
