import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ResultFiles, Results } from "../harness/results.ts";
import { goalTable } from "./goals.ts";
import { boundTable, growthTable, operationTable, otherTable, postgresTable, processTable, table } from "./tables.ts";

const OWN_TABLES = [
  "real-sqlite",
  "real-postgres",
  "real-large-sqlite",
  "real-large-postgres",
  "rights-sqlite",
  "rights-postgres",
];

/** Tables by name. */
function makeReport(all: readonly Results[]): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  const part = (name: string) => all.find((one) => one.part === name);
  const [sqlite, postgres] = [part("sqlite"), part("postgres")];
  const rates = (results: Results) => results.rows.filter((row) => row.unit === "req/s");
  const isLive = ({ part }: { part: string }) => part.startsWith("live-");
  const others = all
    .flatMap((one) => one.rows)
    .filter((row) => row.unit !== "req/s" && row.part !== "postgres" && !isLive(row));
  if (all.length > 0) {
    sections.set("goals", goalTable(all));
    sections.set("machine", machineText(all));
  }
  for (const name of OWN_TABLES) {
    const results = part(name);
    if (results) sections.set(name, operationTable(rates(results)));
  }
  if (sqlite) {
    sections.set("sqlite", operationTable(rates(sqlite)));
    sections.set("bounds", boundTable(rates(sqlite)));
  }
  if (postgres) {
    sections.set("postgres", postgresTable(postgres.rows, sqlite?.rows ?? []));
  }
  const processes = all.filter((one) => one.part.startsWith("processes-"));
  if (processes.length > 0) sections.set("processes", processTable(processes));
  if (others.length > 0) sections.set("others", otherTable(others));
  for (const results of all.filter(isLive)) sections.set(results.part, otherTable(results.rows));
  for (const results of all.filter((one) => one.curves.length > 0)) sections.set(results.part, growthTable(results));
  return sections;
}

/** Which machine, which commit, which day: one line for each that differs. */
function machineText(all: readonly Results[]): string {
  const lines = all.map(({ part, machine: { cores, processor, memoryGb, system, node }, commit, day }) => ({
    part,
    text: `${cores} cores (${processor}), ${memoryGb} GB, ${system}, Node ${node}; commit ${commit}, ${day}`,
  }));
  const texts = [...new Set(lines.map(({ text }) => text))];
  const partsOf = (text: string) => lines.filter((one) => one.text === text).map(({ part }) => part);
  return table(
    ["measured on", "parts"],
    texts.map((text) => [text, partsOf(text).join(", ")]),
  );
}

/** Writes the tables beside the results. */
export function writeReport(files: ResultFiles): void {
  const sections = makeReport(files.all());
  const text = [...sections].map(([name, section]) => `## ${name}\n\n${section}\n`).join("\n");
  writeFileSync(join(files.directory, "tables.md"), text);
}
