import type { Results, Row } from "../harness/results.ts";
import { slopeOf } from "../harness/statistics.ts";
import { MET, NO_GOAL, postgresShare, table, verdict } from "./tables.ts";

const TITLES: Readonly<Record<string, string>> = {
  "real-sqlite": "text that people wrote, SQLite",
  "real-postgres": "text that people wrote, PostgreSQL",
  "real-large-sqlite": "ten times as many documents, SQLite",
  "real-large-postgres": "ten times as many documents, PostgreSQL",
  sqlite: "synthetic text asked for again, SQLite",
  postgres: "synthetic text asked for again, PostgreSQL",
  "processes-sqlite": "two processes, SQLite",
  "processes-postgres": "two processes, PostgreSQL",
  "rights-sqlite": "rights per knowledge base, SQLite",
  "rights-postgres": "rights per knowledge base, PostgreSQL",
  files: "files and export",
  process: "start, first reads, memory",
  "live-sqlite": "live documents, SQLite",
  "live-postgres": "live documents, PostgreSQL",
};

/** How the cost grows: all parts of it are one line. */
const GROWTH = "how cost grows";

interface Outcome {
  readonly operation: string;
  readonly isMet: boolean;
}

/** All goals at a glance: a line for each part, with the operations that miss theirs. */
export function goalTable(all: readonly Results[]): string {
  const onSqlite = all.find(({ part }) => part === "sqlite")?.rows ?? [];
  const outcomes = new Map<string, Outcome[]>();
  for (const results of all) {
    const name = results.curves.length > 0 ? GROWTH : (TITLES[results.part] ?? results.part);
    outcomes.set(name, [...(outcomes.get(name) ?? []), ...outcomesOf(results, onSqlite)]);
  }
  const order = [...Object.values(TITLES), GROWTH];
  const names = [...outcomes.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const lines = names.map((name) => {
    const own = outcomes.get(name) ?? [];
    const missed = own.filter(({ isMet }) => !isMet);
    return [name, `${own.length - missed.length} of ${own.length}`, missed.map((one) => one.operation).join("; ")];
  });
  return table(["part", "goals met", "missed"], lines);
}

function outcomesOf({ part, rows, curves }: Results, onSqlite: readonly Row[]): Outcome[] {
  const ofRows = rows.flatMap((row) => {
    const told = part === "postgres" ? postgresShare(row, onSqlite).verdict : verdict(row);
    return told === NO_GOAL ? [] : { operation: row.operation, isMet: told === MET };
  });
  const ofCurves = curves.flatMap(({ operation, points, bound }) =>
    bound === undefined ? [] : { operation, isMet: slopeOf(points) <= bound },
  );
  return [...ofRows, ...ofCurves];
}
