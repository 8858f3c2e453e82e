import { type Client, createClient } from "@svc/sdk";
import { note } from "./output.ts";
import { findSession, type ProfileOption } from "./session.ts";
import { VERSION } from "./version.ts";

export const USER_AGENT = `svc-cli/${VERSION} (svc command)`;
/** Somebody waits at a terminal: a server that cannot be reached is reported soon. */
const ATTEMPTS = 3;
/** Shorter waits are not worth a word. */
const WORTH_A_WORD_MS = 2_000;

/** A client for a server; says when it has to wait for it. */
export const clientFor = (baseUrl: string, token?: string): Client =>
  createClient({
    baseUrl,
    token,
    userAgent: USER_AGENT,
    retry: { attempts: ATTEMPTS },
    onRetry: ({ waitMs, error }) => {
      if (waitMs >= WORTH_A_WORD_MS) note(`${error.message} Trying again in ${Math.round(waitMs / 1000)} s.`);
    },
  });

/** A client for whom the options, the environment and the kept profiles say. */
export function connect(options: ProfileOption): Client {
  const { url, token } = findSession(options);
  return clientFor(url, token);
}
