import { type AuditFilter, listAudit } from "@svc/server/resources/accounts/audit-log";
import { type Command, InvalidArgumentError } from "commander";
import { JSON_FLAG, type OutputOptions, print, shownTime, table } from "../output.ts";
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

async function show(options: OutputOptions & AuditFilter): Promise<void> {
  const entries = await withStore((database) => listAudit(database.read, options));
  print(
    options,
    { entries },
    table(
      ["TIME", "USER", "TOKEN", "CLIENT", "ACTION", "STATUS", "PATH", "SUMMARY"],
      entries.map((entry) => [
        shownTime(entry.created_at),
        entry.email ?? entry.user_id,
        entry.token_id,
        `${entry.client_name ?? "-"}${entry.client_version ? `/${entry.client_version}` : ""}${entry.agent ? " (agent)" : ""}`,
        ...[entry.action, entry.status, entry.path, entry.summary ?? ""],
      ]),
    ),
  );
}

export function define(audit: Command): void {
  audit
    .option("--workspace <id or name>", "only this workspace")
    .option("--email <email>", "only this user's changes")
    .option("--since <time>", "only since a date, or a time ago (12h, 7d)", instant)
    .option("--action <operation>", "only this operation, such as create_document")
    .option("--limit <rows>", "how many at most", rowCount, 100)
    .option(...JSON_FLAG)
    .action(show);
}
