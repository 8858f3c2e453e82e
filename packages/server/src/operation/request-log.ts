import { WeakCache } from "../cache/weak-cache.ts";
import type { Identity } from "../http/callers/authenticate.ts";
import type { Caller } from "../http/callers/caller.ts";
import type { Services } from "../services.ts";
import type { FinishedRequest, OnFinished } from "./finished-requests.ts";
import type { LogOutput } from "./log.ts";

/** One line per request: operation, outcome, duration and caller. Never a token, a query or a body. */
export function requestLog(log: Services["log"], output: LogOutput): OnFinished {
  if (!log.isLevelEnabled("info")) return () => undefined;
  const { worker } = log.bindings();
  const begin = `{"level":${log.levels.values.info ?? 30}${worker === undefined ? "" : `,"worker":${worker}`},"time":"`;
  return (finished) => output.write(lineOf(finished, begin));
}

let second = 0;
let secondText = "";
/** The time in the format of the other lines; its seconds are formatted once a second. */
function isoNow(): string {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    secondText = new Date(second).toISOString().slice(0, 20);
  }
  return `${secondText}${String(milliseconds).padStart(3, "0")}Z`;
}

/** The end of a caller's lines: many requests share one caller object. */
const ENDS = new WeakCache<Caller, string>("log_line_ends");

const makeEnd = ({ userId, tokenId, workspaceId }: Caller): string =>
  `,"user_id":"${userId}","token_id":"${tokenId}","workspace_id":"${workspaceId}","msg":"request"}\n`;

const endOf = (identity: Identity | undefined): string =>
  identity && "caller" in identity ? ENDS.getOrMake(identity.caller, makeEnd) : `,"msg":"request"}\n`;

/**
 * Every request writes a line, so it is concatenated; only the request id can contain characters that need escaping.
 */
function lineOf({ request, status, milliseconds, route }: FinishedRequest, begin: string): string {
  return (
    `${begin}${isoNow()}","request_id":${JSON.stringify(request.id)},"method":"${request.method}",` +
    `"route":${route === undefined ? "null" : `"${route}"`},"status":${status},` +
    `"duration_ms":${Math.round(milliseconds * 100) / 100}${endOf(request.identity)}`
  );
}
