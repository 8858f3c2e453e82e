/** Makes text valid for both databases. */
export const clean = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

/** Clamps a timestamp to now: an archive may contain any time, but nothing in it was made in the future. */
export const past = (time: number): number => Math.min(time, Date.now());
