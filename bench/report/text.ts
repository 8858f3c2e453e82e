import { defined } from "@svc/document/defined";
import { type Cell, type Goal, meets, type Row, ratioOf } from "../harness/results.ts";

/** A number to be read: three figures, thousands apart. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

export const percent = (ratio: number): string => `${Math.round(ratio * 100)} %`;
export const times = (ratio: number): string => `${shown(ratio)} ×`;

export function goalText(goal: Goal | undefined, unit: string): string {
  if (!goal) return "–";
  if (goal.kind === "ratio-least") return goal.value > 1 ? `≥ ${times(goal.value)}` : `≥ ${percent(goal.value)}`;
  if (goal.kind === "ratio-most") return `≤ ${times(goal.value)}`;
  return `${goal.kind === "least" ? "≥" : "≤"} ${shown(goal.value)} ${unit}`;
}

/** Rates are told as a share of the limit, costs as a multiple of it. */
export const ratioText = (row: Row, cell: Cell): string => {
  const ratio = ratioOf(cell);
  if (!Number.isFinite(ratio)) return "–";
  return row.goal?.kind === "ratio-least" && row.goal.value <= 1 ? percent(ratio) : times(ratio);
};

export const MET = "met";
export const NO_GOAL = "–";

export function verdict({ goal, cells }: Row): string {
  if (!goal) return NO_GOAL;
  const missed = cells.filter((cell) => !meets(goal, cell));
  if (missed.length === 0) return MET;
  return missed.length === cells.length ? "**MISSED**" : `**MISSED** at ${defined(missed[0]).connections}`;
}

/** How far the rounds lay apart, of svc, as ± of the median. */
export const spread = ({ ours }: Cell): string => `±${Math.round((50 * (ours.high - ours.low)) / ours.value)} %`;

export const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
