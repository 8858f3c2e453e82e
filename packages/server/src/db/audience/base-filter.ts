/** Which knowledge bases are shown: only these, or all except these. */
export interface BaseFilter {
  readonly mode: "only" | "except";
  readonly ids: readonly number[];
  /** Of `except`: all that there are besides, where these hold so little that they are looked up one by one. */
  readonly few?: readonly number[];
}

/** What is made of a filter once, as every request of its caller asks for it: its name, and its ids to look one up. */
const MADE = new WeakMap<BaseFilter, { readonly name: string; readonly ids: ReadonlySet<number> }>();

function madeOf(filter: BaseFilter) {
  const { mode, ids, few } = filter;
  const cached = MADE.get(filter);
  if (cached) return cached;
  const inOrder = (some: readonly number[]) => some.toSorted((a, b) => a - b).join(" ");
  const made = { name: `${mode} ${inOrder(ids)}${few ? ` few ${inOrder(few)}` : ""}`, ids: new Set(ids) };
  MADE.set(filter, made);
  return made;
}

/** Whether what is in a knowledge base is left out. */
export const hides = (filter: BaseFilter | undefined, knowledgeBaseId: number): boolean =>
  filter !== undefined && madeOf(filter).ids.has(knowledgeBaseId) === (filter.mode === "except");

/** Equal for filters that show the same. */
export const filterName = (filter: BaseFilter): string => madeOf(filter).name;

/**
 * The condition on a column, without parameters: whoever runs a statement counts on those that it wrote itself. A short
 * list, or one of the few that are shown, stands as it is, so that indexes help. Of a long one both databases would make a table each time that they run
 * the statement; it becomes a row of digits, one for each id of its range, of which a row of the answer looks at one.
 */
export function shownIf({ mode, ids, few }: BaseFilter, column: string): string {
  if (few) return few.length === 0 ? "1 = 0" : `${column} in (${few.join(", ")})`;
  const whole = ids.filter(Number.isSafeInteger);
  if (whole.length === 0) return mode === "only" ? "1 = 0" : "1 = 1";
  const [least, most] = [Math.min(...whole), Math.max(...whole)];
  if (whole.length <= SHORT_LIST || most - least >= LONGEST_ROW)
    return `${column} ${mode === "only" ? "in" : "not in"} (${whole.join(", ")})`;
  const named = new Set(whole);
  const digits = Array.from({ length: most - least + 1 }, (_, i) => (named.has(least + i) ? "1" : "0")).join("");
  const isNamed = `${column} between ${least} and ${most}
    and substr('${digits}', cast(${column} - ${least - 1} as integer), 1) = '1'`;
  return mode === "only" ? `(${isNamed})` : `not (${isNamed})`;
}

/** Longer lists become a row of digits. */
const SHORT_LIST = 16;
/** Digits are counted off from the left, so the row is not long. */
const LONGEST_ROW = 4096;
