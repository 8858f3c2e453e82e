import type { Node } from "../types.ts";

/** The caller's knowledge of the page that the HTML goes into. */
export interface HtmlContext {
  /** Heading ids: block id → slug. */
  readonly slugs?: ReadonlyMap<string, string>;
  /** Used instead of `slugs`: a placeholder for a heading's `id` attribute until its slug is known; not escaped. */
  readonly markPlace?: (blockId: string) => string;
  /** The address that serves an attachment; by default the API's address. */
  readonly attachmentUrl?: (attachmentId: string) => string | undefined;
  /** Rewrites a link's address, for example `svc://` to a page. The result is checked like any other address. */
  readonly linkUrl?: (href: string) => string | undefined;
  /** Renders code as safe markup; undefined leaves it plain. */
  readonly code?: (text: string, language: string) => string | undefined;
  /** Renders a formula as safe markup; undefined leaves its source. */
  readonly math?: (latex: string, isBlock: boolean) => string | undefined;
  /** Extra attributes for a task's checkbox, each with a leading space. */
  readonly task?: (node: Node) => string;
}
