import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A folder of the XDG specification: what the variable says where it is an absolute path, else the usual place. */
const xdg = (name: string, usual: string): string => {
  const given = process.env[name];
  return given && isAbsolute(given) ? given : join(homedir(), usual);
};

/** Where the tokens are. */
export const credentialsFile = (): string => join(xdg("XDG_CONFIG_HOME", ".config"), "svc", "credentials.json");

/** Where texts are while they are edited, and stay when they could not be saved. */
export const draftsFolder = (): string => join(xdg("XDG_STATE_HOME", ".local/state"), "svc", "drafts");

/** Where compiled code is kept: a place of one's own, since it is run. */
export const codeCacheFolder = (): string => join(xdg("XDG_CACHE_HOME", ".cache"), "svc", "code");
