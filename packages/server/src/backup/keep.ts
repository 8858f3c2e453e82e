import { DAY_MS } from "../time.ts";

const NAME = /^svc-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** `svc-2026-01-31T02-00-00Z`: sorts by time, and is a valid key of an object store. */
export const nameOf = (time: number): string =>
  `svc-${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

/** The time in the name of a scheduled backup; undefined for any other name. */
export function timeOf(name: string): number | undefined {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** 1970 began on a Thursday; weeks begin on Monday. */
const weekOf = (time: number): number => Math.floor((time / DAY_MS + 3) / 7);
const dayOf = (time: number): number => Math.floor(time / DAY_MS);

/** The names that may go: all but the last backup of so many days and of so many weeks (UTC). */
export function expired(
  names: readonly string[],
  { daily, weekly }: { readonly daily: number; readonly weekly: number },
): string[] {
  const dated = names
    .flatMap((name) => {
      const time = timeOf(name);
      return time === undefined ? [] : [{ name, time }];
    })
    .sort((a, b) => b.time - a.time);
  const kept = new Set<string>();
  for (const [period, count] of [
    [dayOf, daily],
    [weekOf, weekly],
  ] as const) {
    const newest = new Map<number, string>();
    for (const { name, time } of dated) if (!newest.has(period(time))) newest.set(period(time), name);
    for (const name of [...newest.values()].slice(0, count)) kept.add(name);
  }
  return dated.map(({ name }) => name).filter((name) => !kept.has(name));
}
