import { createHash } from "node:crypto";
import { KEPT_TREE } from "@svc/web/server/assets";

interface Exceptions {
  /** An address that this page's form redirects to: browsers apply the policy to redirects after a form too. */
  readonly formLeadsTo?: string | undefined;
  /** The text of the page's only style element. */
  readonly css?: string | undefined;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const SCRIPTS = `script-src 'self' ${hashOf(KEPT_TREE)}`;

/** Allows our own files only; nobody may frame a page, and no form may post elsewhere. */
export const contentPolicy = ({ formLeadsTo, css }: Exceptions = {}): string =>
  [
    "default-src 'none'",
    SCRIPTS,
    `style-src 'self'${css ? ` ${hashOf(css)}` : ""}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    // Our only page that may be framed draws diagrams.
    "frame-src 'self'",
    `form-action 'self'${formLeadsTo === undefined ? "" : ` ${formLeadsTo}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
