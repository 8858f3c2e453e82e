import type { Config } from "../config.ts";

/**
 * Where links in mails lead. Never what a request names as its host: whoever asks for a mail to somebody else could
 * then choose where its links lead.
 */
export const mailBaseUrl = ({ baseUrl, host, port }: Pick<Config, "baseUrl" | "host" | "port">): string =>
  baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
