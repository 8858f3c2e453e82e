import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The `skip` option of `node:test`: the reason, or `false` to run. */
export interface PeerOptions {
  readonly skip: string | false;
}

/**
 * Tests that need a real outside program ask for it here. `probe` answers true, or the name of what is missing.
 * A missing peer skips the tests with one line that names it; with SVC_FORBID_SKIPS=1 it fails them instead.
 */
export function requirePeer(name: string, probe: () => true | string): PeerOptions {
  const found = probe();
  if (found === true) return { skip: false };
  const reason = `peer "${name}" is missing (${found}); scripts/setup-peers.sh installs it`;
  if (process.env.SVC_FORBID_SKIPS === "1") throw new Error(reason);
  process.stderr.write(`SKIPPED: ${reason}\n`);
  return { skip: reason };
}

/** A probe for programs on the PATH and files at fixed places. */
export const probeFiles = (names: readonly string[]) => (): true | string =>
  names.find((name) => !(name.startsWith("/") ? isReadable(name) : findProgram(name))) ?? true;

const isReadable = (path: string): boolean => allows(path, constants.R_OK);

/** The path of the first of these programs that is on the PATH. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find((path) => allows(path, constants.X_OK));
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
