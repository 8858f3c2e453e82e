/** `%%comment%%` of Obsidian: kept as written, and never shown. The rules that parse it are in rules/comment.ts. */

const between = "(?<![\\p{L}\\p{N}%])%%(?!%)(?:(?!%%)[\\s\\S]){1,10000}?%%(?![\\p{L}\\p{N}%])";
export const inText = new RegExp(between, "uy");
const whole = new RegExp(`^${between}$`, "u");

/** Whether it is one comment within a line. */
export const isInline = (text: string): boolean => whole.test(text) && text.slice(2, -2).trim() !== "";

/** Whether it is one comment. */
export const isComment = (text: string): boolean =>
  text.startsWith("%%") && (isInline(text) || /^%%[ \t]*\n[\s\S]*\n%%[ \t]*$/.test(text));

/** Whether a comment is read as one between these texts. */
export const isCommentBetween = (before: string, text: string, after: string): boolean =>
  isInline(text) && !/[\p{L}\p{N}%]$/u.test(before) && !/^[\p{L}\p{N}%]/u.test(after);

/** A line that begins or ends a comment, wherever that goes on. */
export const mayHoldComment = (text: string): boolean => /^[ \t>]*%%[ \t]*$/m.test(text);
