import type { ProposedChange } from "@svc/document/suggest/changes";

/** A change of a suggestion as its row keeps it. Whether an open one is in conflict is seen when it is read. */
export interface StoredChange extends ProposedChange {
  readonly id: string;
  readonly state: "open" | "accepted" | "rejected";
}

export const newChanges = (changes: readonly ProposedChange[]): StoredChange[] =>
  changes.map((change, index) => ({ id: `chg_${index + 1}`, state: "open", ...change }));

export const readChanges = (json: string): readonly StoredChange[] => JSON.parse(json);
