/**
 * Ids and versions as answers show them: the last 8 characters of an id (of a document, block, concept, candidate,
 * comment, suggestion, relation or translation job), the first 8 digits of a version. They are taken back in the same
 * form (names/), and cost a model a third.
 */
const ID = /\b(?:doc|block|concept|cand|com|sug|rel|tjob)_[0-9A-HJKMNP-TV-Z]{18}([0-9A-HJKMNP-TV-Z]{8})\b/g;
const VERSION = /\bsha256:([0-9a-f]{8})[0-9a-f]{56}\b/g;

export const shortId = (text: string): string => (text.startsWith("svc://") ? text : text.replace(ID, "$1"));

/** A value of ours, or details of a refusal; never the text of a document. Addresses stay whole: they are for links. */
export const short = (text: string): string =>
  text.startsWith("svc://") ? text : shortId(text).replace(VERSION, "$1");

export const isShortId = (text: string): boolean => /^[0-9A-HJKMNP-TV-Z]{8}$/.test(text);
export const isShortVersion = (text: string): boolean => /^[0-9a-f]{8}$/.test(text);

/** A short anchor comment before a block. */
export const anchor = (id: string): string => `<!--@${short(id)}-->`;
