import { codePoints, plainText } from "@svc/document/read/text";
import { readBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import type { DocumentRow } from "../../../../db/schema/tables/documents.ts";
import type { JobRow } from "../../../../db/schema/tables/jobs.ts";
import { notFound } from "../../../../errors.ts";
import type { Actor } from "../../../../events/actor.ts";
import { newId } from "../../../../ids.ts";
import { checkWaitingJobs, insertJob } from "../../../../jobs/queries.ts";
import type { Services } from "../../../../services.ts";
import { loadSetOf, targetIn } from "../../../library/language-versions/load-set.ts";
import { recordLocalization } from "../audit.ts";
import { listSourceBlocks, type TextBlock } from "../blocks/text-blocks.ts";
import { listUnits, listUnitsBy } from "../units/unit-queries.ts";
import { freshnessOf, type Unit } from "../units/unit-state.ts";
import { chargeUsage } from "../usage.ts";
import { type JobPayload, TRANSLATION_JOB } from "./translation-job.ts";

export const MAX_UNITS = 100;

interface JobRequest {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly targetLocale: string;
  readonly unitIds: readonly string[] | undefined;
  readonly actor: Actor;
}

/** Starts a job that creates candidates for the source as it is now, and charges the day's quota. */
export async function startJob(
  app: Pick<Services, "config" | "wakeJobs">,
  tx: Tx,
  request: JobRequest,
): Promise<JobRow> {
  const { workspaceId, targetLocale, actor } = request;
  await checkWaitingJobs(tx, workspaceId, TRANSLATION_JOB, app.config.maxJobs);
  const loaded = await loadSetOf(tx, workspaceId, request.documentId);
  const { set, source } = loaded;
  const target = targetIn(loaded, targetLocale);
  const body = await readBody(tx, { workspaceId, documentId: source.id });
  const blocks = new Map(listSourceBlocks(body).map((block) => [block.id, block]));
  const chosen = await chooseUnits(tx, target, blocks, request.unitIds);
  const units = chosen.map((unit) => ({
    id: unit.id,
    block: unit.source_block_id,
    characters: charactersOf(blocks.get(unit.source_block_id)),
  }));
  const characters = units.reduce((sum, unit) => sum + unit.characters, 0);
  const charge = await chargeUsage(tx, workspaceId, characters, app.config.translationDailyCharacters);
  const payload: JobPayload = {
    sourceId: source.id,
    sourceLocale: set.source_locale,
    sourceVersion: body.version,
    targetId: target.id,
    targetLocale,
    units,
    charge,
    price: app.config.translationPrice,
  };
  const id = newId("tjob");
  const after = { job_id: id, unit_count: units.length, input_characters: characters };
  await recordLocalization(tx, { workspaceId, sourceId: source.id, actor }, [
    { action: "create_job", locale: targetLocale, after },
  ]);
  return insertJob(tx, { workspaceId, id, kind: TRANSLATION_JOB, payload, createdBy: actor.userId }, app.wakeJobs);
}

const charactersOf = (block: TextBlock | undefined): number => (block ? codePoints(plainText(block.node)) : 0);

/** The requested units, or those that need translation: the first hundred in order, those without a candidate first. */
async function chooseUnits(
  tx: Tx,
  target: DocumentRow,
  blocks: ReadonlyMap<string, TextBlock>,
  ids: readonly string[] | undefined,
): Promise<Unit[]> {
  const key = { workspace_id: target.workspace_id, document_id: target.id };
  if (ids) {
    const wanted = [...new Set(ids)];
    const possible = wanted.filter((id) => !id.includes("\0"));
    const units = new Map((await listUnitsBy(tx, key, "id", possible)).map((unit) => [unit.id, unit]));
    return wanted.map((id) => {
      const unit = units.get(id);
      if (!unit) throw notFound("translation_unit", id);
      return unit;
    });
  }
  const needy = (await listUnits(tx, key)).filter(
    (unit) => unit.review_status !== "ignored" && ["missing", "source_changed"].includes(freshnessOf(unit)),
  );
  const positions = new Map([...blocks.keys()].map((id, index) => [id, index]));
  const rank = (unit: Unit) =>
    (unit.candidate === null ? 0 : blocks.size) + (positions.get(unit.source_block_id) ?? blocks.size);
  return needy.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_UNITS);
}
