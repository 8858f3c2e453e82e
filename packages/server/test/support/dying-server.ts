/**
 * A server that kills itself at a statement of its choice, counted over everything that it runs in transactions from the
 * signal SIGUSR2 on: before the statement, and after a commit before anybody hears of it. What it died at is the last
 * line that it writes.
 */
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PostgresConnection } from "@svc/server/db/postgres/connection";
import { SqliteConnection } from "@svc/server/db/sqlite/connection";

const DIE_AT = Number(process.env.SVC_TEST_DIE_AT);
let isArmed = false;
let count = 0;

process.on("SIGUSR2", () => {
  isArmed = true;
  writeSync(1, '{"armed":true}\n');
});

function step(sql: string): void {
  if (!isArmed || ++count !== DIE_AT) return;
  writeSync(1, `${JSON.stringify({ died_at: sql.slice(0, 200) })}\n`);
  process.kill(process.pid, "SIGKILL");
  // The signal is handled when this thread gives up its turn: nothing may be sent until then.
  for (;;);
}

const open = new WeakSet<object>();
/** Counts a statement of a connection while that is in a transaction that may write. */
function meet(connection: object, sql: string): void {
  if (/^begin(?!.*read only)/.test(sql)) open.add(connection);
  if (open.has(connection)) step(sql);
  if (/^(commit|rollback$)/.test(sql)) open.delete(connection);
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  const isCommit = sql === "commit";
  meet(this, sql);
  exec.call(this, sql);
  if (isCommit) step("after the commit");
};
const { run: runSqlite } = SqliteConnection.prototype;
SqliteConnection.prototype.run = function (sql, parameters) {
  meet(this.raw, sql);
  return runSqlite.call(this, sql, parameters) as never;
};

const { run, enqueue, enqueueForRows } = PostgresConnection.prototype;
PostgresConnection.prototype.run = async function (text, values) {
  meet(this, text);
  const answer = await run.call(this, text, values);
  if (text === "commit") step("after the commit");
  return answer;
};
PostgresConnection.prototype.enqueue = function (text, values) {
  meet(this, text);
  enqueue.call(this, text, values);
};
PostgresConnection.prototype.enqueueForRows = function (text, values) {
  meet(this, text);
  return enqueueForRows.call(this, text, values);
};

await import("./second-server.ts");
