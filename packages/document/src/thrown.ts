/** Facts about what was thrown, which may be anything. */

/** Such as `ENOENT`; empty where it has none. */
export const codeOf = (thrown: unknown): string =>
  typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code ?? "") : "";

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
