import { resolve } from "node:path";
import { isRecord } from "@svc/document/guards";
import { codeOf } from "@svc/document/thrown";
import type { Config } from "../../config.ts";
import { DatabaseUnavailable } from "../../db/database.ts";

/** Codes for an address that does not belong to this machine, as opposed to a port that is in use. */
const WRONG_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);
/** System calls of listening; the supervisor reports `bind` about a worker. */
const LISTENING = new Set(["listen", "bind", "getaddrinfo"]);
/** SQLite's codes for a file that it may not or cannot use: perm, readonly, ioerr, corrupt, full, cantopen, notadb. */
const WRONG_FILE = new Set([3, 8, 10, 11, 13, 14, 26]);

/** Describes what prevented the start, in one line that names the setting concerned. */
export function startError(error: Error, config: Config | undefined): string {
  const { message, cause } = error;
  const reason = cause instanceof Error && cause.message ? ` (${cause.message})` : "";
  const setting = config && settingAtFault(error, config);
  const advice = adviceOn(error);
  const text = `${setting ? `Setting ${setting} cannot be used: ` : ""}${message}${reason}`;
  return advice === undefined ? text : `${text.replace(/\.$/, "")}. ${advice}`;
}

const FULL = "Free some space on that disk, then start again.";
const FORBIDDEN = `Give the user with the id ${process.getuid?.() ?? "of this process"} the right to read and write there.`;
/** By Node's codes, and by SQLite's: perm, readonly, full, cantopen. */
const ADVICE: Readonly<Record<string, string>> = {
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: "Let SVC_DATA_DIR name a folder that can be written, such as a mounted volume.",
  ENOSPC: FULL,
  3: FORBIDDEN,
  8: FORBIDDEN,
  13: FULL,
  14: FORBIDDEN,
};

/** The next step of the operator. */
function adviceOn(error: NodeJS.ErrnoException): string | undefined {
  if (codeOf(error) === "EADDRINUSE") return "Stop the program that uses this port, or set another port.";
  if (LISTENING.has(error.syscall ?? ""))
    return codeOf(error) === "EACCES" ? "Set a port above 1023, and let a proxy listen on the other one." : undefined;
  const codes = [error, error.cause].flatMap((one) =>
    isRecord(one) && typeof one.errcode === "number" ? String(one.errcode & 0xff) : codeOf(one),
  );
  return codes.map((code) => ADVICE[code]).find((advice) => advice !== undefined);
}

function settingAtFault(error: NodeJS.ErrnoException & { port?: number }, config: Config): string | undefined {
  const { host, port, dataDir, databaseUrl, metricsAddress } = config;
  if (LISTENING.has(error.syscall ?? "")) {
    if (metricsAddress && error.port === metricsAddress.port && error.port !== port) return "SVC_METRICS_ADDRESS";
    return WRONG_HOST.has(codeOf(error)) ? given("SVC_HOST", host) : given("SVC_PORT", port);
  }
  if (databaseUrl) return error instanceof DatabaseUnavailable ? "SVC_DATABASE_URL" : undefined;
  const isOfStore = isOnTheWay(error.path, dataDir) || isWrongFile(error) || isWrongFile(error.cause);
  return isOfStore ? given("SVC_DATA_DIR", dataDir) : undefined;
}

/** Whether a path is above or below a directory, or the directory itself. */
function isOnTheWay(path: string | undefined, directory: string): boolean {
  if (path === undefined) return false;
  const [one, other] = [resolve(path), resolve(directory)];
  return one.startsWith(other) || other.startsWith(one);
}

const isWrongFile = (error: unknown): boolean =>
  isRecord(error) && typeof error.errcode === "number" && WRONG_FILE.has(error.errcode & 0xff);

const given = (setting: string, value: string | number): string =>
  `${setting} is ${JSON.stringify(String(value))}, which`;
