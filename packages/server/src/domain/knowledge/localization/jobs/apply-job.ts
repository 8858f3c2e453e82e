import { defined } from "@svc/document/defined";
import { type ChangedBody, changeBody } from "../../../../bodies/change-body.ts";
import { findBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import type { JobRow } from "../../../../db/schema/tables/jobs.ts";
import { apiError, notFound } from "../../../../errors.ts";
import type { Actor } from "../../../../events/actor.ts";
import { checkExpected, type Expected } from "../../../../http/preconditions.ts";
import { getJob } from "../../../../jobs/queries.ts";
import type { Services } from "../../../../services.ts";
import { recordLocalization, unitEntries } from "../audit.ts";
import { type Chosen, insertChosen } from "../blocks/insert-chosen.ts";
import { lockState } from "../queries.ts";
import { saveUnits } from "../units/save-units.ts";
import { listUnitsBy } from "../units/unit-queries.ts";
import { freshnessOf, originOf, type Unit, withTarget } from "../units/unit-state.ts";
import { type JobPayload, payloadOf, resultOf, TRANSLATION_JOB, type UnitOutcome } from "./translation-job.ts";

export const skipReasons = ["manual_edit", "confirmed", "conflict", "ignored", "no_candidate"] as const;
type SkipReason = (typeof skipReasons)[number];

interface Application {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly unitIds: readonly string[] | undefined;
  readonly ifMatch: Expected | undefined;
  readonly baseVersion: Expected | undefined;
  readonly actor: Actor;
}

interface Applied {
  readonly targetId: string;
  readonly changed: ChangedBody;
  readonly applied: readonly { readonly unit_id: string; readonly target_block_id: string | null }[];
  readonly skipped: readonly { readonly unit_id: string; readonly reason: SkipReason }[];
}

/** Writes a job's candidates into the target, except where a person has edited it. */
export async function applyJob(app: Services, tx: Tx, input: Application): Promise<Applied> {
  const { workspaceId, actor } = input;
  const job = await getJob(tx, workspaceId, input.jobId, TRANSLATION_JOB);
  const payload = payloadOf(job);
  const wanted = wantedUnits(payload, input.unitIds);
  const expected = input.ifMatch ?? input.baseVersion;
  if (expected === undefined)
    throw apiError("precondition_required", {
      header: "If-Match",
      field: "base_target_version",
      hint: "Send the target document's ETag in If-Match or as base_target_version.",
    });
  const outcomes = await outcomesOf(tx, job, payload);
  const skipped: { unit_id: string; reason: SkipReason }[] = [];
  let ids: string[] = [];
  const changed = await changeBody(app, tx, {
    key: { workspaceId, documentId: payload.targetId },
    reason: "translation",
    actor,
    expected,
    edit: async (current) => {
      checkExpected(input.baseVersion, current.version);
      const { chosen, refused } = await choose(tx, job, payload, wanted, outcomes);
      skipped.push(...refused);
      const placed = await insertChosen(app, tx, { ...payload, workspaceId }, current, chosen);
      for (const unit of placed.unplaced) skipped.push({ unit_id: unit.id, reason: "no_candidate" });
      ids = placed.units.map(({ id }) => id);
      return placed.blocks;
    },
  });
  const units = await agreeAll(tx, job, payload, ids, actor);
  const applied = units.map((unit) => ({ unit_id: unit.id, target_block_id: unit.target_block_id }));
  return { targetId: payload.targetId, changed, applied, skipped };
}

function wantedUnits(payload: JobPayload, ids: readonly string[] | undefined): string[] {
  const known = payload.units.map(({ id }) => id);
  const foreign = ids?.find((id) => !known.includes(id));
  if (foreign !== undefined) throw notFound("translation_unit", foreign);
  return ids ? known.filter((id) => ids.includes(id)) : known;
}

async function outcomesOf(tx: Tx, job: JobRow, payload: JobPayload): Promise<Map<string, UnitOutcome>> {
  const result = resultOf(job);
  const target = await findBody(tx, { workspaceId: job.workspace_id, documentId: payload.targetId });
  if (job.status !== "succeeded" || !result || !target) throw apiError("job_not_applicable", { status: job.status });
  return new Map(result.units.map((outcome) => [outcome.id, outcome]));
}

const keyOf = (job: JobRow, payload: JobPayload) => ({
  workspace_id: job.workspace_id,
  document_id: payload.targetId,
});

async function choose(
  tx: Tx,
  job: JobRow,
  payload: JobPayload,
  wanted: readonly string[],
  outcomes: ReadonlyMap<string, UnitOutcome>,
): Promise<{ chosen: Chosen[]; refused: Applied["skipped"] }> {
  if (!(await lockState(tx, job.workspace_id, payload.targetId)))
    throw apiError("job_not_applicable", { status: job.status });
  const units = new Map((await listUnitsBy(tx, keyOf(job, payload), "id", wanted)).map((unit) => [unit.id, unit]));
  const chosen: Chosen[] = [];
  const refused: { unit_id: string; reason: SkipReason }[] = [];
  for (const id of wanted) {
    const unit = units.get(id);
    const outcome = outcomes.get(id);
    const reason = unit ? reasonToSkip(unit) : undefined;
    if (reason) refused.push({ unit_id: id, reason });
    else if (unit && outcome && "nodes" in outcome && outcome.hash === unit.source_hash)
      chosen.push({ unit, line: { sourceBlockId: unit.source_block_id, nodes: outcome.nodes } });
    else refused.push({ unit_id: id, reason: "no_candidate" });
  }
  return { chosen, refused };
}

function reasonToSkip(unit: Unit): SkipReason | undefined {
  if (unit.review_status === "ignored") return "ignored";
  if (unit.review_status === "current") return "confirmed";
  if (freshnessOf(unit) === "conflict") return "conflict";
  return originOf(unit) === "manual" ? "manual_edit" : undefined;
}

/** Candidates equal to the existing text do not change the body, but both sides now agree. */
async function agreeAll(
  tx: Tx,
  job: JobRow,
  payload: JobPayload,
  ids: readonly string[],
  actor: Actor,
): Promise<Unit[]> {
  const state = await lockState(tx, job.workspace_id, payload.targetId);
  const units = await listUnitsBy(tx, keyOf(job, payload), "id", ids);
  const changes = units.map((before) => {
    const isSettled = freshnessOf(before) === "current" && before.candidate === null;
    return { before, after: isSettled ? before : withTarget(before, before.target_hash, "machine") };
  });
  if (state) await saveUnits(tx, state, changes);
  const entries = state ? unitEntries("apply", state, changes) : [];
  await recordLocalization(tx, { workspaceId: job.workspace_id, sourceId: payload.sourceId, actor }, entries);
  const order = new Map(ids.map((id, index) => [id, index]));
  return units.sort((a, b) => defined(order.get(a.id)) - defined(order.get(b.id)));
}
