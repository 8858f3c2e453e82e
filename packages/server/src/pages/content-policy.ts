import { createHash } from "node:crypto";

interface Exceptions {
  /** A place that the form of this page leads to: browsers hold redirects after a form to the policy too. */
  readonly formLeadsTo?: string | undefined;
  /** The text of the page's one style element. */
  readonly css?: string | undefined;
}

const hashOf = (css: string): string => `'sha256-${createHash("sha256").update(css).digest("base64")}'`;

/** Nothing but our own files; no frame may hold a page, no form may post elsewhere. */
export const contentPolicy = ({ formLeadsTo, css }: Exceptions = {}): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${css ? ` ${hashOf(css)}` : ""}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    // The one page of ours that lets itself be framed draws diagrams.
    "frame-src 'self'",
    `form-action 'self'${formLeadsTo === undefined ? "" : ` ${formLeadsTo}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
