const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS: readonly [limit: number, unit: number, name: Intl.RelativeTimeFormatUnit][] = [
  [HOUR, MINUTE, "minute"],
  [DAY, HOUR, "hour"],
  [45 * DAY, DAY, "day"],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** Formats a near time as `5 minutes ago` or `in 3 days`, and any other as a date. */
export function timeText(at: number, now = Date.now()): string {
  const distance = at - now;
  if (Math.abs(distance) < MINUTE) return distance > 0 ? "in a moment" : "just now";
  const step = STEPS.find(([limit]) => Math.abs(distance) < limit);
  return step ? relative.format(Math.round(distance / step[1]), step[2]) : dates.format(at);
}
