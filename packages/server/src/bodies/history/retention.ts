import { DAY_MS, HOUR_MS } from "../../time.ts";
import type { ChainState } from "./chain.ts";

/** The age up to which states are kept: all of them, one an hour, one a day. */
export interface Ages {
  readonly allMs: number;
  readonly hourlyMs: number;
  readonly dailyMs: number;
}

type Aged = Pick<ChainState, "id" | "name" | "endedAt">;

/**
 * The states that stay, of a list with the newest first: the newest one, those with a name, and by age all of them, the
 * last of each hour, or the last of each day.
 */
export function keptByAge<State extends Aged>(states: readonly State[], now: number, ages: Ages): readonly State[] {
  const taken = new Set<string>();
  return states.filter((state, index) => {
    const span = spanOf(state, now, ages);
    const isFirst = span !== undefined && !taken.has(span);
    if (isFirst && state.name === null) taken.add(span);
    return index === 0 || state.name !== null || isFirst;
  });
}

/** The hour or day of which one state is kept; undefined for a state that is too old. */
function spanOf({ id, endedAt }: Aged, now: number, { allMs, hourlyMs, dailyMs }: Ages): string | undefined {
  const age = now - endedAt;
  if (age <= allMs) return id;
  if (age <= Math.max(hourlyMs, allMs)) return `hour ${Math.floor(endedAt / HOUR_MS)}`;
  if (age <= Math.max(dailyMs, hourlyMs, allMs)) return `day ${Math.floor(endedAt / DAY_MS)}`;
  return undefined;
}

/** The time when a state may have to go; null if its age never decides. */
export function nextLook({ name, endedAt }: Aged, now: number, { allMs, hourlyMs, dailyMs }: Ages): number | null {
  if (name !== null) return null;
  const next = [allMs, hourlyMs, dailyMs].map((age) => endedAt + age).find((time) => time >= now);
  return Math.ceil((next ?? now + DAY_MS) / HOUR_MS) * HOUR_MS;
}
