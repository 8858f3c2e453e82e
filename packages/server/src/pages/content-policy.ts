/**
 * Nothing but our own files; no frame may hold a page, no form may post elsewhere. A form whose answer leads to a
 * program names that place: browsers hold redirects after a form to the policy too.
 */
export const contentPolicy = (formLeadsTo?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action 'self'${formLeadsTo === undefined ? "" : ` ${formLeadsTo}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
