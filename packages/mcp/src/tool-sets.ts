/** Tools that are shown together; `core` and `review` unless the address says otherwise. */
export const TOOL_SETS = [
  "core",
  "review",
  "notifications",
  "blocks",
  "knowledge",
  "concepts",
  "translations",
] as const;
export type ToolSet = (typeof TOOL_SETS)[number];
export const DEFAULT_SETS: readonly ToolSet[] = ["core", "review"];

/** The sets that an address names, such as `core,concepts`; `all` is every one, and what is unknown is left out. */
export function toolSetsOf(text: string | null | undefined): readonly ToolSet[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  if (names.includes("all")) return TOOL_SETS;
  const known = TOOL_SETS.filter((set) => names.includes(set));
  return known.length === 0 ? DEFAULT_SETS : known;
}
