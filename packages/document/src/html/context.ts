import type { Node } from "../types.ts";

/** The caller's knowledge of the page that the HTML goes into. */
export interface HtmlContext {
  /** Heading ids: block id → slug. */
  readonly slugs?: ReadonlyMap<string, string>;
  /** Instead of them: what stands for a heading's `id` attribute until its slug is known, written as it is. */
  readonly markPlace?: (blockId: string) => string;
  /** The address an attachment is served under; without it, the API's own. */
  readonly attachmentUrl?: (attachmentId: string) => string | undefined;
  /** Rewrites a link's address (say, `svc://` to a page). The answer is checked like any other address. */
  readonly linkUrl?: (href: string) => string | undefined;
  /** Code as markup that is safe to send; undefined leaves it plain. */
  readonly code?: (text: string, language: string) => string | undefined;
  /** A formula as markup that is safe to send; undefined leaves its source. */
  readonly math?: (latex: string, isBlock: boolean) => string | undefined;
  /** More attributes for the box of a task, each with a space before it. */
  readonly task?: (node: Node) => string;
}
