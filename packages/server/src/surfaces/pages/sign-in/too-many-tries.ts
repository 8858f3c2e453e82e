/** A waiting time in words. */
const waitText = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  const [count, unit] = seconds < 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
};

export const tooManyTries = (ms: number): { wrong: string; headers: Record<string, string> } => ({
  wrong: `Too many attempts. Wait ${waitText(ms)}, then try again.`,
  headers: { "retry-after": String(Math.ceil(ms / 1000)) },
});
