import type { Config } from "../config.ts";

/**
 * Where links in mails lead. Never what a request names as its host: whoever asks for a mail to somebody else could
 * then choose where its links lead.
 */
export const mailBaseUrl = ({ baseUrl, host, port }: Pick<Config, "baseUrl" | "host" | "port">): string =>
  baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** A page of which every workspace has its own, in this one: somebody may have another one open. */
export const pathIn = (workspaceId: string, path: string): string =>
  `${path}?workspace=${encodeURIComponent(workspaceId)}`;
