import { CommandError, usage } from "./command-error.ts";
import { type Credentials, type Profile, readCredentials } from "./credentials.ts";
import { EXIT } from "./exit-codes.ts";
import { quoted } from "./output.ts";

export const DEFAULT_URL = "http://127.0.0.1:3000";

export interface ProfileOption {
  readonly profile?: string;
}

/** The server to call and the credentials for it. */
export interface Session {
  readonly url: string;
  readonly token: string;
  /** The profile's name, or null when the token came from the environment. */
  readonly profile: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A profile named on the command line, else SVC_TOKEN and SVC_URL, else the current profile. A stored
 * token is only sent to the server that issued it.
 */
export function findSession(
  options: ProfileOption,
  env: Environment = process.env,
  credentials: Credentials = readCredentials(),
): Session {
  if (options.profile) return fromProfile(options.profile, credentials);
  const url = env.SVC_URL ? serverUrl(env.SVC_URL) : undefined;
  if (env.SVC_TOKEN) {
    const kept = credentials.profiles[env.SVC_PROFILE || credentials.current || ""];
    return { url: url ?? kept?.url ?? DEFAULT_URL, token: env.SVC_TOKEN, profile: null };
  }
  if (env.SVC_PROFILE) return fromProfile(env.SVC_PROFILE, credentials, url);
  if (url) return fromUrl(url, credentials);
  if (credentials.current === null) throw signInNeeded("You are not signed in.");
  return fromProfile(credentials.current, credentials);
}

/** Normalises a server's address: removes a slash at the end and the path of the API. */
export function serverUrl(text: string): string {
  const full = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.search || url.hash)
    throw usage(`${JSON.stringify(text)} is not the address of a server.`, "svc login http://127.0.0.1:3000");
  return (url.origin + url.pathname).replace(/\/+$/, "").replace(/\/api(\/v1)?$/, "");
}

const signInNeeded = (message: string, url?: string) =>
  new CommandError(EXIT.signIn, message, { next: [`svc login${url ? ` ${quoted(url)}` : ""}`] });

function fromProfile(name: string, { profiles }: Credentials, url?: string): Session {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile)
    throw new CommandError(EXIT.signIn, `There is no profile ${JSON.stringify(name)}.`, {
      next: ["svc profiles", `svc login --profile ${quoted(name)}`],
    });
  if (url && url !== profile.url)
    throw usage(`SVC_URL is ${url}, and the profile ${JSON.stringify(name)} is for ${profile.url}.`);
  return session(name, profile);
}

function fromUrl(url: string, { current, profiles }: Credentials): Session {
  const fitting = Object.entries(profiles).filter(([, profile]) => profile.url === url);
  const [name, profile] = fitting.find(([key]) => key === current) ?? fitting[0] ?? [];
  if (!name || !profile) throw signInNeeded(`You are not signed in to ${url}.`, url);
  return session(name, profile);
}

const session = (profile: string, { url, token }: Profile): Session => ({ url, token, profile });
