/** Which knowledge bases are shown: only these, or all except these. */
export interface BaseFilter {
  readonly mode: "only" | "except";
  readonly ids: readonly number[];
}

/** Whether what is in a knowledge base is left out. */
export const hides = (filter: BaseFilter | undefined, knowledgeBaseId: number): boolean =>
  filter !== undefined && filter.ids.includes(knowledgeBaseId) === (filter.mode === "except");

/** Equal for filters that show the same. */
export const filterName = ({ mode, ids }: BaseFilter): string => `${mode} ${ids.toSorted((a, b) => a - b).join(" ")}`;

/** The condition on a column, without parameters: whoever runs a statement counts on those that it wrote itself. */
export function shownIf({ mode, ids }: BaseFilter, column: string): string {
  const list = ids.filter(Number.isSafeInteger).join(", ");
  if (list === "") return mode === "only" ? "1 = 0" : "1 = 1";
  return `${column} ${mode === "only" ? "in" : "not in"} (${list})`;
}
