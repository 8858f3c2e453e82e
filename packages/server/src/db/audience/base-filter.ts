/** The knowledge bases that a reader sees: only these, or all except these. */
export interface BaseFilter {
  readonly mode: "only" | "except";
  readonly ids: readonly number[];
  /** For `except`: the visible ids, when there are few enough to query by id. */
  readonly visibleIds?: readonly number[];
}

/** The name and the id set of each filter, computed once because every request of a caller needs them. */
const COMPUTED = new WeakMap<BaseFilter, { readonly name: string; readonly ids: ReadonlySet<number> }>();

function madeOf(filter: BaseFilter) {
  const { mode, ids, visibleIds } = filter;
  const cached = COMPUTED.get(filter);
  if (cached) return cached;
  const inOrder = (some: readonly number[]) => some.toSorted((a, b) => a - b).join(" ");
  const made = {
    name: `${mode} ${inOrder(ids)}${visibleIds ? ` only ${inOrder(visibleIds)}` : ""}`,
    ids: new Set(ids),
  };
  COMPUTED.set(filter, made);
  return made;
}

/** Whether the filter hides a knowledge base. */
export const hides = (filter: BaseFilter | undefined, knowledgeBaseId: number): boolean =>
  filter !== undefined && madeOf(filter).ids.has(knowledgeBaseId) === (filter.mode === "except");

/** Equal for filters that show the same knowledge bases. */
export const filterName = (filter: BaseFilter): string => madeOf(filter).name;

/**
 * The SQL condition on a column, without parameters, because a statement counts only its own. A short list, or the
 * visible ids, is written out so that indexes help. Both databases would build a table from a long list on every run,
 * so it becomes a string of digits, one for each id in its range, and each row looks at one digit.
 */
export function shownIf({ mode, ids, visibleIds }: BaseFilter, column: string): string {
  if (visibleIds) return visibleIds.length === 0 ? "1 = 0" : `${column} in (${visibleIds.join(", ")})`;
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

/** Longer lists become a string of digits. */
const SHORT_LIST = 16;
/** Finding a digit takes time in proportion to its position, so the string must stay short. */
const LONGEST_ROW = 4096;
