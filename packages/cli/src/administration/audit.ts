import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@svc/server/db/database";
import { type AuditFilter, listAudit } from "@svc/server/domain/identity/accounts/audit-log";
import { type Command, InvalidArgumentError } from "commander";
import { EXIT } from "../exit-codes.ts";
import { JSON_FLAG, note, type OutputOptions, print, shownTime, table } from "../output.ts";
import { withStore } from "./store.ts";

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2026-01-31`, `2026-01-31T10:00:00Z`, or how long ago: `30m`, `12h`, `7d`. */
const instant = (text: string): number => {
  const ago = /^(\d+)([mhd])$/.exec(text);
  const time = ago ? Date.now() - Number(ago[1]) * (UNITS[ago[2] ?? ""] ?? 0) : Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError("Give a date like 2026-01-31, or a time ago like 12h or 7d.");
  return time;
};

const rowCount = (text: string): number => {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 100_000) throw new InvalidArgumentError("Give a whole number from 1 to 100000.");
  return count;
};

type Entry = Awaited<ReturnType<typeof listAudit>>[number];

interface Options extends OutputOptions, AuditFilter {
  readonly follow?: boolean;
}

const COLUMNS = ["TIME", "USER", "TOKEN", "CLIENT", "ACTION", "STATUS", "PATH", "SUMMARY"];

const cellsOf = (entry: Entry) => [
  shownTime(entry.created_at),
  entry.email ?? entry.user_id,
  entry.token_id,
  `${entry.client_name ?? "-"}${entry.client_version ? `/${entry.client_version}` : ""}${entry.agent ? " (agent)" : ""}`,
  ...[entry.action, entry.status, entry.path, entry.summary ?? ""],
];

const show = (options: Options): Promise<void> =>
  withStore(async (database) => {
    if (options.follow) return follow(database, options);
    const entries = await listAudit(database.read, options);
    print(options, { entries }, table(COLUMNS, entries.map(cellsOf)));
  });

const EVERY_MS = 1000;
/** No transaction lasts longer: an entry of one that began earlier may appear after later ones. */
const OVERLAP_MS = 60_000;
const MAX_AT_ONCE = 100_000;

const lineOf = (entry: Entry): string =>
  cellsOf(entry)
    .map((cell) => cell ?? "-")
    .join("  ")
    .trimEnd();

/** The newest entries, then each that comes, a line for each, the oldest first. */
async function follow(database: Database, options: Options): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  let newest = Date.now();
  const recent = () =>
    listAudit(database.read, {
      ...options,
      since: Math.max(options.since ?? 0, newest - OVERLAP_MS),
      limit: MAX_AT_ONCE,
    });
  // Entries beyond the limit are old, so they are not part of the new ones.
  const earlier = await recent();
  let entries = await listAudit(database.read, options);
  const printed = new Map(earlier.slice(options.limit).map((entry) => [entry.id, entry.created_at]));
  note("Following; Ctrl-C ends it.");
  while (!stop.signal.aborted) {
    for (const entry of entries.toReversed()) {
      if (printed.has(entry.id)) continue;
      print(options, entry, [lineOf(entry)]);
      printed.set(entry.id, entry.created_at);
      newest = Math.max(newest, entry.created_at);
    }
    for (const [id, at] of printed) if (at < newest - OVERLAP_MS) printed.delete(id);
    await sleep(EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    if (!stop.signal.aborted) entries = await recent();
  }
  process.exitCode = EXIT.interrupted;
}

export function define(audit: Command): void {
  audit
    .option("--workspace <id or name>", "only this workspace")
    .option("--email <email>", "only this user's changes")
    .option("--since <time>", "only since a date, or a time ago (12h, 7d)", instant)
    .option("--action <operation>", "only this operation, such as create_document")
    .option("--limit <rows>", "how many at most", rowCount, 100)
    .option("--follow", "go on with what comes, the oldest first; with --json as JSON lines")
    .option(...JSON_FLAG)
    .action(show);
}
