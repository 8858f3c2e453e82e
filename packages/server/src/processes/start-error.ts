import { resolve } from "node:path";
import { isRecord } from "@svc/document/guards";
import { codeOf } from "@svc/document/thrown";
import type { Config } from "../config.ts";
import { DatabaseUnavailable } from "../db/database.ts";

/** Codes that say that the address is none of this machine's, not that the port is taken. */
const WRONG_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EINVAL"]);
/** What listening asks of the system; `bind` is said of a worker by its supervisor. */
const LISTENING = new Set(["listen", "bind", "getaddrinfo"]);
/** SQLite's codes for a file that it may not or cannot use: perm, readonly, ioerr, corrupt, full, cantopen, notadb. */
const WRONG_FILE = new Set([3, 8, 10, 11, 13, 14, 26]);

/** What stopped a start, in one line that names the setting which could not be used. */
export function startError(error: Error, config: Config | undefined): string {
  const { message, cause } = error;
  const reason = cause instanceof Error && cause.message ? ` (${cause.message})` : "";
  const setting = config && settingAtFault(error, config);
  return `${setting ? `Setting ${setting} cannot be used: ` : ""}${message}${reason}`;
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
