import { defined } from "@svc/document/defined";
import { type Difference, diffLines, linesOf } from "./diff-lines.ts";

const CONTEXT = 3;

/** The difference of two texts in the unified form; no line when they are equal. */
export function unified(oldName: string, newName: string, oldText: string, newText: string): string[] {
  const [old, current] = [linesOf(oldText), linesOf(newText)];
  const differences = diffLines(old, current);
  if (differences.length === 0) return [];
  return [`--- ${oldName}`, `+++ ${newName}`, ...grouped(differences).flatMap((group) => hunk(old, current, group))];
}

/** Differences whose surroundings touch are shown together. */
function grouped(differences: readonly Difference[]): Difference[][] {
  const groups: Difference[][] = [];
  for (const difference of differences) {
    const last = groups.at(-1)?.at(-1);
    if (last && difference.oldStart - last.oldEnd <= 2 * CONTEXT) defined(groups.at(-1)).push(difference);
    else groups.push([difference]);
  }
  return groups;
}

function hunk(old: readonly string[], current: readonly string[], group: readonly Difference[]): string[] {
  const [first, last] = [defined(group[0]), defined(group.at(-1))];
  const lead = Math.min(CONTEXT, first.oldStart);
  const tail = Math.min(CONTEXT, old.length - last.oldEnd);
  const lines = old.slice(first.oldStart - lead, first.oldStart).map((line) => ` ${line}`);
  group.forEach((difference, index) => {
    lines.push(...old.slice(difference.oldStart, difference.oldEnd).map((line) => `-${line}`));
    lines.push(...current.slice(difference.newStart, difference.newEnd).map((line) => `+${line}`));
    const end = group[index + 1]?.oldStart ?? last.oldEnd + tail;
    lines.push(...old.slice(difference.oldEnd, end).map((line) => ` ${line}`));
  });
  const oldRange = range(first.oldStart - lead, last.oldEnd + tail);
  return [`@@ -${oldRange} +${range(first.newStart - lead, last.newEnd + tail)} @@`, ...lines];
}

/** `start,count`, counted from 1; an empty range names the line before it. */
const range = (start: number, end: number): string =>
  end - start === 1 ? `${start + 1}` : `${end === start ? start : start + 1},${end - start}`;
