import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import type { Unit } from "./units/unit-state.ts";

/** A machine translation awaiting review: the proposed line of the target. */
export interface Candidate {
  readonly nodes: readonly Node[];
  readonly job_id: string;
  /** The source line that it translates. */
  readonly source_hash: string;
  readonly created_at: number;
}

export const readCandidate = (unit: Unit): Candidate | null =>
  unit.candidate === null ? null : JSON.parse(unit.candidate);

export const lineText = (nodes: readonly Node[]): string => plainText({ type: "paragraph", content: nodes });
