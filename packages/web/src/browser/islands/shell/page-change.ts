/** Dispatched on the document when somebody changes the text of the shown page. */
export const PAGE_CHANGED = "svc-page-changed";

export interface PageChange {
  /** The person, with their program. */
  readonly name: string;
  readonly version: string;
}
