/** Text that both databases can hold. */
export const clean = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

/** An archive may say any time; what it holds was not made later than now. */
export const past = (time: number): number => Math.min(time, Date.now());
