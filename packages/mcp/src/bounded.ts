const MAX_MEMBERS = 20_000;
const MAX_LEVELS = 100;

/** Whether a value is small enough to validate: reporting millions of invalid members would take seconds. */
export function isBounded(value: unknown): boolean {
  let level: unknown[] = [value];
  let members = 0;
  for (let depth = 0; level.length > 0; depth++) {
    members += level.length;
    if (members > MAX_MEMBERS || depth > MAX_LEVELS) return false;
    const next: unknown[] = [];
    for (const each of level) {
      if (each === null || typeof each !== "object") continue;
      const inner = Object.values(each);
      if (members + next.length + inner.length > MAX_MEMBERS) return false;
      next.push(...inner);
    }
    level = next;
  }
  return true;
}
