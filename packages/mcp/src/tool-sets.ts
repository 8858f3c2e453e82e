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
/** `connector` has two tools of names and shapes that connectors prescribe, so it stands alone. */
export type ToolSet = (typeof TOOL_SETS)[number] | "connector";
export const DEFAULT_SETS: readonly ToolSet[] = ["core", "review"];

export interface ChosenSets {
  readonly shown: readonly ToolSet[];
  /** Names that no set has: a mistake in the configuration of the client, which the answer reports. */
  readonly unknown: readonly string[];
}

/** The sets that an address names, such as `core,concepts`; `all` is every one. */
export function toolSetsOf(text: string | undefined): ChosenSets {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.includes("connector")) return { shown: ["connector"], unknown: [] };
  const unknown = names.filter((name) => name !== "all" && !TOOL_SETS.some((set) => set === name));
  if (names.length === 0) return { shown: DEFAULT_SETS, unknown };
  return { shown: TOOL_SETS.filter((set) => names.includes("all") || names.includes(set)), unknown };
}

const MAX_NAMED = 5;

/** Describes the error in the requested sets, and lists the available ones. */
export function unknownSetsText(unknown: readonly string[]): string {
  const named = unknown.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, 40)));
  return `There is no set of tools ${named.join(", ")}. The sets are ${TOOL_SETS.join(", ")}; all is every one. connector stands alone.`;
}
