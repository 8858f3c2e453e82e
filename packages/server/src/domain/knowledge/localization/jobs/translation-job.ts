import type { Node } from "@svc/document/types";
import type { JobRow } from "../../../../db/schema/tables/jobs.ts";
import { lineText } from "../candidate.ts";
import type { Charge } from "../usage.ts";

export const TRANSLATION_JOB = "translation_job";

/** The parameters of a job. */
export interface JobPayload {
  readonly sourceId: string;
  readonly sourceLocale: string;
  readonly sourceVersion: string;
  readonly targetId: string;
  readonly targetLocale: string;
  readonly units: readonly { readonly id: string; readonly block: string; readonly characters: number }[];
  readonly charge: Charge;
  /** US dollars per million characters, as configured when the job was created. */
  readonly price: number;
}

/** The result for one unit. The error is a provider's code, `placeholder_lost`, or `gone` if the block is missing. */
export type UnitOutcome =
  | { readonly id: string; readonly hash: string; readonly nodes: readonly Node[] }
  | { readonly id: string; readonly error: string };

export interface JobResult {
  readonly provider: string | null;
  readonly inputCharacters: number;
  readonly outputCharacters: number;
  readonly units: readonly UnitOutcome[];
}

export const payloadOf = (row: JobRow): JobPayload => JSON.parse(row.payload);
export const resultOf = (row: JobRow): JobResult | null => (row.result === null ? null : JSON.parse(row.result));

export function jobOf(row: JobRow) {
  const payload = payloadOf(row);
  const result = resultOf(row);
  const outcomes = new Map((result?.units ?? []).map((outcome) => [outcome.id, outcome]));
  const input = result?.inputCharacters ?? payload.charge.characters;
  return {
    id: row.id,
    status: row.status,
    document_id: payload.sourceId,
    source_version: payload.sourceVersion,
    target_document_id: payload.targetId,
    target_locale: payload.targetLocale,
    unit_count: payload.units.length,
    units: payload.units.map(({ id, block }) => ({ unit_id: id, source_block_id: block, ...shown(outcomes.get(id)) })),
    input_characters: input,
    output_characters: result?.outputCharacters ?? 0,
    estimated_cost: { amount: Math.round(input * payload.price) / 1e6, currency: "USD" },
    provider: result?.provider ?? null,
    error: row.error === null ? null : JSON.parse(row.error),
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

const shown = (outcome: UnitOutcome | undefined) => ({
  candidate: outcome && "nodes" in outcome ? { text: lineText(outcome.nodes) } : null,
  error: outcome && "error" in outcome ? outcome.error : null,
});
