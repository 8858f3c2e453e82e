import { Type } from "typebox";
import { actorOf } from "../../../events/actor.ts";
import { accepted, ok } from "../../../http/answer.ts";
import { parseIfMatch } from "../../../http/preconditions.ts";
import { patch, post, type Route, read } from "../../../http/route.ts";
import { getJob } from "../../../jobs/queries.ts";
import { changedIds } from "../../content/content/changed-ids.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { applyJob } from "./jobs/apply-job.ts";
import { startJob } from "./jobs/start-job.ts";
import { jobOf, TRANSLATION_JOB } from "./jobs/translation-job.ts";
import { listPage } from "./list-units.ts";
import {
  Applied,
  Apply,
  exampleApplied,
  exampleJob,
  exampleUnit,
  Job,
  NewJob,
  Review,
  Unit,
  UnitQuery,
} from "./translation-schema.ts";
import { reviewUnit } from "./units/review-unit.ts";
import { translateUnit } from "./units/translate-unit.ts";

const tag = "Languages";

export const translationRoutes: Route[] = [
  read({
    operation: "list_translation_units",
    path: "/documents/{id}/translation-units",
    tag,
    summary: "The text blocks of the source, each with its block in a target version and how the two stand.",
    description:
      "Of one target (`locale`, or the document itself when it is one) or of all, by language; in the order of the source, orphaned units last.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: UnitQuery,
    errors: ["invalid_locale"],
    success: { status: 200, description: "A page of units.", data: Unit, list: true, example: exampleUnit },
    handler: ({ app, caller, db, params, query }) => listPage(app, db, caller.workspaceId, params.id, query),
  }),
  patch({
    operation: "review_translation_unit",
    path: "/documents/{id}/translation-units/{unitId}",
    tag,
    summary: "Confirm or ignore a unit, or translate it by hand.",
    description:
      "`If-Match` is the target document's version. `current` makes both sides agree as they are, which settles a conflict; it lapses when either side changes. `target_text` puts a text into the target, in a block that is made for it if there is none, and makes it current.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: Type.Object({ id: Type.String(), unitId: Type.String() }),
    body: Review,
    bodyExample: { review_status: "current" },
    ifMatch: "required",
    etag: true,
    errors: ["block_not_found", "document_too_large", "attachment_not_found", "invalid_document"],
    success: { status: 200, description: "The unit.", data: Unit, example: exampleUnit },
    handler: async (input) => {
      const { app, caller, tx, params, body, ifMatch } = input;
      const about = {
        workspaceId: caller.workspaceId,
        documentId: params.id,
        unitId: params.unitId,
        expected: ifMatch,
        actor: actorOf(input),
      };
      const { target_text: text, review_status: status = "current" } = body;
      const unit = await (text === undefined
        ? reviewUnit(tx, { ...about, status })
        : translateUnit(app, tx, { ...about, status, text }));
      return ok(unit, { etag: unit.target_version });
    },
  }),
  post({
    operation: "create_translation_job",
    path: "/documents/{id}/translation-jobs",
    tag,
    summary: "Let the machine make candidates for some units.",
    description:
      "Without `unit_ids` the first hundred units that are missing or whose source changed, those without a candidate first. Candidates change nothing until they are applied. The characters of the source are charged to the workspace's day; what is not used is given back.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: DocumentParams,
    body: NewJob,
    bodyExample: { target_locale: "es" },
    errors: ["invalid_locale", "quota_exceeded", "translation_quota_exceeded"],
    success: { status: 202, description: "The job.", data: Job, example: exampleJob },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const job = await startJob(app, tx, {
        workspaceId: caller.workspaceId,
        documentId: params.id,
        targetLocale: parseLocale(body.target_locale),
        unitIds: body.unit_ids,
        actor: actorOf(input),
      });
      return accepted(jobOf(job));
    },
  }),
  read({
    operation: "get_translation_job",
    path: "/translation-jobs/{id}",
    tag,
    summary: "Progress, candidates, usage and cost of a translation job.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "translation_job" },
    params: Type.Object({ id: Type.String() }),
    success: { status: 200, description: "The job.", data: Job, example: exampleJob },
    handler: async ({ caller, db, params }) =>
      ok(jobOf(await getJob(db, caller.workspaceId, params.id, TRANSLATION_JOB))),
  }),
  post({
    operation: "apply_translation_job",
    path: "/translation-jobs/{id}/apply",
    tag,
    summary: "Put candidates into the target version.",
    description:
      "Units that were edited by hand, confirmed, ignored or are in conflict stay as they are and are listed with the reason, as are those without a candidate for the source as it is now. Needs the target's version, in `If-Match` or `base_target_version`.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "translation_job" },
    params: Type.Object({ id: Type.String() }),
    body: Apply,
    bodyExample: { unit_ids: [exampleUnit.id] },
    bodyOptional: true,
    ifMatch: "optional",
    etag: true,
    errors: ["precondition_required", "job_not_applicable", "document_too_large", "quota_exceeded"],
    success: { status: 200, description: "What was applied.", data: Applied, example: exampleApplied },
    handler: async (input) => {
      const { app, caller, tx, params, body, ifMatch } = input;
      const { targetId, changed, applied, skipped } = await applyJob(app, tx, {
        workspaceId: caller.workspaceId,
        jobId: params.id,
        unitIds: body?.unit_ids,
        ifMatch,
        baseVersion: parseIfMatch(body?.base_target_version),
        actor: actorOf(input),
      });
      const data = { target_document_id: targetId, version: changed.version, applied, skipped };
      return ok({ ...data, changed_block_ids: changedIds(changed) }, { etag: changed.version });
    },
  }),
];
