import type { Config } from "../config.ts";

/**
 * The base address of links in mails. Never the host named by a request: an attacker who requests a mail to somebody
 * else could then choose where its links lead.
 */
export const mailBaseUrl = ({ baseUrl, host, port }: Pick<Config, "baseUrl" | "host" | "port">): string =>
  baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The path of a page in this workspace, for a person who may have another one open. */
export const pathIn = (workspaceId: string, path: string): string =>
  `${path}?workspace=${encodeURIComponent(workspaceId)}`;
