import type { ProposedChange } from "@svc/document/suggest/changes";

/** A suggestion's change as stored in its row. Whether an open one conflicts is determined when it is read. */
export interface StoredChange extends ProposedChange {
  readonly id: string;
  readonly state: "open" | "accepted" | "rejected";
}

export const newChanges = (changes: readonly ProposedChange[]): StoredChange[] =>
  changes.map((change, index) => ({ id: `chg_${index + 1}`, state: "open", ...change }));

export const readChanges = (json: string): readonly StoredChange[] => JSON.parse(json);
