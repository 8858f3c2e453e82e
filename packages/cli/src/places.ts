import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A user id without an account, as in a container, has no home folder. Others may write to a temporary one. */
function home(): string {
  try {
    return homedir();
  } catch {
    return "/nonexistent";
  }
}

/** A folder of the XDG specification: what the variable says where it is an absolute path, else the usual place. */
const xdg = (name: string, usual: string): string => {
  const given = process.env[name];
  return given && isAbsolute(given) ? given : join(home(), usual);
};

/** The file with the tokens. */
export const credentialsFile = (): string => join(xdg("XDG_CONFIG_HOME", ".config"), "svc", "credentials.json");

/** The folder for drafts. A draft stays when it could not be saved. */
export const draftsFolder = (): string => join(xdg("XDG_STATE_HOME", ".local/state"), "svc", "drafts");

/** The folder for compiled code. It is private, because its content is executed. */
export const codeCacheFolder = (): string => join(xdg("XDG_CACHE_HOME", ".cache"), "svc", "code");
