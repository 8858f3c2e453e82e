import type { Cost, LargeResults } from "../large/measure.ts";
import { shown, table, times } from "./text.ts";

const both = ({ p50, p95 }: Cost): string => `${shown(p50)} / ${shown(p95)}`;
const processor = ({ service, database }: Cost): string => `${shown(service)} + ${shown(database)}`;
const sumOf = ({ service, database }: Cost): number => service + database;
const megabytes = (bytes: number): string => shown(bytes / 1e6);

/** How the load went on: whether a document costs more when many are there. */
function loadTable({ points }: LargeResults): string {
  const lines = points.map(({ documents, seconds, service, database, megabytes: memory }, i) => {
    const before = points[i - 1] ?? { documents: 0, seconds: 0 };
    const rate = (documents - before.documents) / (seconds - before.seconds);
    return [shown(documents), shown(seconds / 60), shown(rate), shown(service), shown(database), shown(memory)];
  });
  return table(
    ["documents", "minutes", "a second", "ms of the service each", "ms of PostgreSQL each", "MB of the service"],
    lines,
  );
}

function costTable({ costs, documents }: LargeResults): string {
  const lines = Object.entries(costs).map(([name, { small, large }]) => [
    name,
    both(small),
    both(large),
    times(large.p50 / small.p50),
    processor(small),
    processor(large),
    sumOf(small) > 0 ? times(sumOf(large) / sumOf(small)) : "–",
  ]);
  const [small, large] = [shown(documents.small), shown(documents.large)];
  return table(
    [
      "one request at a time",
      `${small}: p50 / p95 ms`,
      `${large}: p50 / p95 ms`,
      "p50",
      `${small}: ms of processor, service + PostgreSQL`,
      `${large}: the same`,
      "processor",
    ],
    lines,
  );
}

function otherTable({ documents, start, backup, memory, bytes }: LargeResults): string {
  const line = (name: string, small: number, large: number) => [name, shown(small), shown(large), times(large / small)];
  return table(
    ["", shown(documents.small), shown(documents.large), "ratio"],
    [
      line("start of the service until it listens, s", start.small.ready, start.large.ready),
      line("first search after a start, s", start.small.firstSearch, start.large.firstSearch),
      line("backup, s", backup.small.seconds, backup.large.seconds),
      line("backup, MB", backup.small.megabytes, backup.large.megabytes),
      line("store on disk, MB", bytes.small / 1e6, bytes.large / 1e6),
      line(
        "store on disk, KB for each document",
        bytes.small / documents.small / 1e3,
        bytes.large / documents.large / 1e3,
      ),
      line("memory of the service after all of this, MB", memory.small, memory.large),
      ["memory of PostgreSQL for both stores, MB", "", shown(memory.database), ""],
    ],
  );
}

const sizeTable = ({ tables, documents }: LargeResults): string =>
  table(
    ["table", "rows", "table, MB", "indexes, MB", "long values, MB", "bytes for each document", "largest index"],
    tables.map(({ name, rows, heap, indexes, toast, largestIndex }) => [
      `\`${name}\``,
      shown(Math.max(0, rows)),
      megabytes(heap),
      megabytes(indexes),
      megabytes(toast),
      shown((heap + indexes + toast) / documents.large),
      largestIndex,
    ]),
  );

export function largeSections(results: LargeResults): [string, string][] {
  const named = (name: string, text: string): [string, string] => [`large-${results.kind}-${name}`, text];
  const sizes = results.tables.length > 0 ? [named("tables", sizeTable(results))] : [];
  const about = [named("load", loadTable(results)), named("costs", costTable(results))];
  return [...about, named("others", otherTable(results)), ...sizes];
}
