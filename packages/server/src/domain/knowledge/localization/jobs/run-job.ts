import { defined } from "@svc/document/defined";
import { codePoints } from "@svc/document/read/text";
import { findBody, lockBody, readBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import type { JobRow } from "../../../../db/schema/tables/jobs.ts";
import { failed, type JobEnd, type JobKind, obsolete, succeeded } from "../../../../jobs/job.ts";
import type { JobControl } from "../../../../jobs/job-control.ts";
import { ProviderError } from "../../../../ports/provider-error.ts";
import { type MarkedText, toMarkedText } from "../../../../ports/translator/placeholders.ts";
import { restore } from "../../../../ports/translator/restore-placeholders.ts";
import type { SegmentResult, Translator } from "../../../../ports/translator/translator.ts";
import type { Services } from "../../../../services.ts";
import { listSourceBlocks, type TextBlock } from "../blocks/text-blocks.ts";
import { type Candidate, lineText } from "../candidate.ts";
import { lockState } from "../queries.ts";
import { saveUnits } from "../units/save-units.ts";
import { listUnitsBy } from "../units/unit-queries.ts";
import { giveBack } from "../usage.ts";
import { type JobPayload, type JobResult, payloadOf, TRANSLATION_JOB, type UnitOutcome } from "./translation-job.ts";

type Commit = (tx: Tx) => Promise<JobEnd>;

/** Ends a job that used nothing and refunds the whole charge. */
const unused =
  (payload: JobPayload, end: JobEnd): Commit =>
  async (tx) => {
    await giveBack(tx, payload.charge, payload.charge.characters);
    return { ...end, result: { provider: null, inputCharacters: 0, outputCharacters: 0, units: [] } };
  };

const sourceChanged = obsolete("The source changed.");
const gone = obsolete("A language version is gone.");

export const translationJobKind: JobKind = {
  kind: TRANSLATION_JOB,
  run: async (job, app, control) => {
    const payload = payloadOf(job);
    if (!app.translator)
      return unused(payload, failed("provider_not_configured", "No translation provider is configured."));
    const workspaceId = job.workspace_id;
    const { read } = app.database;
    const body = await findBody(read, { workspaceId, documentId: payload.sourceId });
    if (!body || !(await findBody(read, { workspaceId, documentId: payload.targetId }))) return unused(payload, gone);
    if (body.version !== payload.sourceVersion) return unused(payload, sourceChanged);
    try {
      const outcomes = await translate(app, app.translator, job, payload, control);
      return (tx) => commit(tx, job, payload, defined(app.translator).id, outcomes);
    } catch (error) {
      if (error instanceof ProviderError) return unused(payload, failed(error.code, error.message));
      throw error;
    }
  },
};

/** Translates each unit. A translation that lost or garbled a placeholder yields an error. */
async function translate(
  app: Pick<Services, "database">,
  translator: Translator,
  job: JobRow,
  payload: JobPayload,
  { signal }: JobControl,
): Promise<UnitOutcome[]> {
  const key = { workspaceId: job.workspace_id, documentId: payload.sourceId };
  const body = await readBody(app.database.read, key);
  const blocks = new Map(listSourceBlocks(body).map((block) => [block.id, block]));
  const marked = new Map<string, { block: TextBlock; text: MarkedText }>();
  for (const { id, block } of payload.units) {
    const found = blocks.get(block);
    if (found) marked.set(id, { block: found, text: toMarkedText(found.node.content ?? []) });
  }
  const segments = [...marked].map(([id, { text }]) => ({ id, text: text.text }));
  const options = { source: payload.sourceLocale, target: payload.targetLocale, signal };
  const answers = segments.length === 0 ? [] : await translator.translate(segments, options);
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return payload.units.map(({ id }) => {
    const sent = marked.get(id);
    return sent ? { ...outcomeOf(byId.get(id), sent.block, sent.text), id } : { id, error: "gone" };
  });
}

function outcomeOf(answer: SegmentResult | undefined, block: TextBlock, { plan }: MarkedText) {
  if (!answer || "error" in answer) return { error: answer?.error ?? "provider_nonsense" };
  const restored = restore(answer.text, plan);
  if ("error" in restored) return { error: "placeholder_lost" };
  return { hash: defined(block.hash), nodes: restored.nodes };
}

/** Stores the candidates on their units, unless the source has changed since the job was created. */
async function commit(
  tx: Tx,
  job: JobRow,
  payload: JobPayload,
  provider: string,
  outcomes: readonly UnitOutcome[],
): Promise<JobEnd> {
  const workspaceId = job.workspace_id;
  const source = await lockBody(tx, { workspaceId, documentId: payload.sourceId }).catch(() => undefined);
  const state = source && (await lockState(tx, workspaceId, payload.targetId));
  const result = await settle(tx, payload, provider, outcomes);
  if (!state) return { ...gone, result };
  if (source.version !== payload.sourceVersion) return { ...sourceChanged, result };
  const good = outcomes.filter((outcome) => "nodes" in outcome);
  const [first] = outcomes;
  if (good.length === 0 && first && "error" in first) {
    const code = first.error === "placeholder_lost" ? "provider_nonsense" : first.error;
    return { ...failed(code, "No unit could be translated."), result };
  }
  const now = Date.now();
  const byId = new Map(good.map((outcome) => [outcome.id, outcome]));
  const units = await listUnitsBy(tx, state, "id", [...byId.keys()]);
  const changes = units.map((before) => {
    const { hash, nodes } = defined(byId.get(before.id));
    if (before.source_hash !== hash) return { before, after: before };
    const candidate: Candidate = { nodes, job_id: job.id, source_hash: hash, created_at: now };
    return { before, after: { ...before, candidate: JSON.stringify(candidate) } };
  });
  await saveUnits(tx, state, changes);
  return succeeded(result);
}

/** Refunds units without a candidate. */
async function settle(
  tx: Tx,
  payload: JobPayload,
  provider: string,
  outcomes: readonly UnitOutcome[],
): Promise<JobResult> {
  const failedIds = new Set(outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.id] : [])));
  const saved = payload.units.reduce((sum, unit) => sum + (failedIds.has(unit.id) ? unit.characters : 0), 0);
  await giveBack(tx, payload.charge, saved);
  return {
    provider,
    inputCharacters: payload.charge.characters - saved,
    outputCharacters: outcomes.reduce(
      (sum, outcome) => sum + ("nodes" in outcome ? codePoints(lineText(outcome.nodes)) : 0),
      0,
    ),
    units: outcomes,
  };
}
