import { median } from "../harness/statistics.ts";
import type { Soaked } from "../soak/run-soak.ts";
import type { Spread, Window } from "../soak/watch.ts";
import { shown, table, times } from "./text.ts";

/** What may grow from the first quarter to the last and still counts as flat. */
const FLAT = { memory: 1.2, files: 1.2, connections: 1.2, latency: 1.5 };

interface Quarters {
  readonly first: readonly Window[];
  readonly last: readonly Window[];
}

function quartersOf({ windows }: Soaked): Quarters {
  const count = Math.max(1, Math.round(windows.length / 4));
  return { first: windows.slice(0, count), last: windows.slice(-count) };
}

const over = (windows: readonly Window[], pick: (window: Window) => number): number => median(windows.map(pick));
const three = ({ p50, p95, p99 }: Spread): string => [p50, p95, p99].map(shown).join(" / ");

function windowTable({ windows }: Soaked): string {
  const lines = windows.map(({ minute, processes, connections, bytes, acknowledged, unanswered, idle }, i) => [
    shown(minute),
    processes.map(({ megabytes }) => shown(megabytes)).join(" / "),
    processes.map(({ files }) => shown(files)).join(" / "),
    processes.map(({ processor }) => shown(processor)).join(" / "),
    shown(connections),
    shown(bytes / 1e6),
    shown(acknowledged - (windows[i - 1]?.acknowledged ?? 0)),
    shown(unanswered - (windows[i - 1]?.unanswered ?? 0)),
    three(idle),
  ]);
  return table(
    [
      "minute",
      "MB, killed / kept",
      "open files",
      "% of a core",
      "connections",
      "MB stored",
      "writes",
      "unanswered",
      "idle server, p50 / p95 / p99 ms",
    ],
    lines,
  );
}

/** Of a kind of call in some windows: the medians of its percentiles, and of how many times the idle server's they are. */
function spreadOf(windows: readonly Window[], kind: string) {
  const asked = windows.filter(({ calls }) => calls[kind]);
  const pick = (name: "p50" | "p95" | "p99") => over(asked, ({ calls }) => calls[kind]?.[name] ?? Number.NaN);
  const count = asked.reduce((sum, { calls }) => sum + (calls[kind]?.count ?? 0), 0);
  const ratio = over(asked, ({ calls, idle }) => (calls[kind]?.p50 ?? Number.NaN) / idle.p50);
  return { count, p50: pick("p50"), p95: pick("p95"), p99: pick("p99"), ratio };
}

const kindsOf = ({ windows }: Soaked): string[] => [
  ...new Set(windows.flatMap(({ calls }) => Object.keys(calls)).filter((name) => name !== "read back")),
];

function callTable(soaked: Soaked): string {
  const { first, last } = quartersOf(soaked);
  const lines = kindsOf(soaked).map((kind) => {
    const [all, before, after] = [soaked.windows, first, last].map((windows) => spreadOf(windows, kind));
    if (!all || !before || !after) return [];
    return [kind, shown(all.count), three(before), three(after), times(before.ratio), times(after.ratio)];
  });
  return table(
    ["call", "count", "first quarter, p50 / p95 / p99 ms", "last quarter", "p50 of idle, first", "last"],
    lines,
  );
}

/** The tables that have grown most, with what bounds them. */
function rowTable({ windows }: Soaked): string {
  const [begin, middle, end] = [windows[0], windows[Math.floor(windows.length / 2)], windows.at(-1)];
  if (!begin || !middle || !end) return "";
  const writes = end.acknowledged - begin.acknowledged;
  const grown = Object.keys(end.rows)
    .map((name) => ({ name, by: (end.rows[name] ?? 0) - (begin.rows[name] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
    .slice(0, 16);
  return table(
    [
      "table",
      `minute ${shown(begin.minute)}`,
      `minute ${shown(middle.minute)}`,
      `minute ${shown(end.minute)}`,
      "more rows for each 100 writes",
    ],
    grown.map(({ name, by }) => [
      `\`${name}\``,
      ...[begin, middle, end].map(({ rows }) => shown(rows[name] ?? 0)),
      shown((100 * by) / Math.max(1, writes)),
    ]),
  );
}

function verdictTable(soaked: Soaked): string {
  const { first, last } = quartersOf(soaked);
  const flat = (name: string, pick: (window: Window) => number, most: number, unit: string) => {
    const [before, after] = [over(first, pick), over(last, pick)];
    return [
      name,
      `${shown(before)} → ${shown(after)} ${unit}`,
      `≤ ${times(most)}`,
      after <= before * most ? "flat" : "**GROWS**",
    ];
  };
  const growth = kindsOf(soaked)
    .map((kind) => ({ kind, by: spreadOf(last, kind).ratio / spreadOf(first, kind).ratio }))
    .filter(({ by }) => Number.isFinite(by));
  const worst = growth.reduce((most, one) => (one.by > most.by ? one : most), { kind: "none", by: 0 });
  const middle = median(growth.map(({ by }) => by));
  /** KB that the store grew for each write, from the window before these to their end; nothing of the very first. */
  const perWrite = (windows: readonly Window[]): string => {
    const before = soaked.windows.findLast(({ minute }) => minute < (windows[0]?.minute ?? 0));
    const [from, to] = [before ?? windows[0], windows.at(-1)];
    if (!from || !to || from === to) return "–";
    return shown((to.bytes - from.bytes) / Math.max(1, to.acknowledged - from.acknowledged) / 1000);
  };
  const { documents, comments, doubtful } = soaked.written;
  const lost = soaked.isWhole ? `${soaked.problems.length} problems` : "not read back yet";
  return table(
    ["", `over ${shown(soaked.minutes)} minutes`, "bound", ""],
    [
      flat("memory of the process that is never killed", ({ processes }) => processes[1].megabytes, FLAT.memory, "MB"),
      flat("its open files", ({ processes }) => processes[1].files, FLAT.files, ""),
      ...(soaked.kind === "postgres"
        ? [flat("connections to PostgreSQL", ({ connections }) => connections, FLAT.connections, "")]
        : []),
      ["store, KB more for each write", `${perWrite(first)} → ${perWrite(last)}`, "–", "–"],
      [
        "latency as a multiple of the idle server's, all kinds of calls",
        `${times(middle)} of the first quarter (most: ${worst.kind}, ${times(worst.by)})`,
        `≤ ${times(FLAT.latency)}`,
        middle <= FLAT.latency ? "flat" : "**GROWS**",
      ],
      [
        "acknowledged and not there",
        `${lost}; ${shown(documents)} documents and ${shown(comments)} comments read back, ${doubtful} with a write in doubt; ${soaked.unheard} creations that no webhook told of`,
        "0",
        soaked.isWhole && soaked.problems.length === 0 && soaked.unheard === 0 ? "nothing lost" : "**open**",
      ],
      [
        "faults",
        Object.entries(soaked.faults)
          .map(([name, count]) => `${count} × ${name}`)
          .join(", "),
        "–",
        "–",
      ],
    ],
  );
}

export const soakSections = (soaked: Soaked): [string, string][] => [
  [`soak-${soaked.kind}-verdicts`, verdictTable(soaked)],
  [`soak-${soaked.kind}-windows`, windowTable(soaked)],
  [`soak-${soaked.kind}-calls`, callTable(soaked)],
  [`soak-${soaked.kind}-rows`, rowTable(soaked)],
];
