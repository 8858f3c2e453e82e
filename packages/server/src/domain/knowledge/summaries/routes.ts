import { type TObject, type TProperties, Type } from "typebox";
import type { JobRow } from "../../../db/schema/tables/jobs.ts";
import type { SummaryScope } from "../../../db/schema/tables/summaries.ts";
import { apiError } from "../../../errors.ts";
import { accepted, notModified, ok } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import type { Scope } from "../../../http/callers/scopes.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { post, put, type Route, read } from "../../../http/route.ts";
import { integerId, object } from "../../../http/schemas.ts";
import { getJob } from "../../../jobs/queries.ts";
import type { Services } from "../../../services.ts";
import { SUMMARY_JOB, startModelJob } from "./model-job.ts";
import { digestFor } from "./query-summary.ts";
import { freshSummary, readSummary, type Summary as SummaryData } from "./represent.ts";
import { rebuildDeterministic, saveManual } from "./save.ts";
import { exampleJob, exampleSummary, generator, ManualSummary, rebuildOf, Summary, SummaryJob } from "./schema.ts";
import { loadTarget } from "./target.ts";
import type { TargetKey } from "./target-key.ts";

const tag = "Summaries";
const blockId = Type.Optional(
  Type.String({ minLength: 1, maxLength: 64, description: "A top-level heading: the summary of its section." }),
);

interface Noun {
  readonly path: string;
  readonly name: "document" | "folder" | "knowledge_base";
  readonly scope: SummaryScope;
  readonly params: TObject;
  readonly reading: Scope;
  readonly writing: Scope;
}

const nouns: readonly Noun[] = [
  {
    path: "/documents/{id}/summary",
    name: "document",
    scope: "document",
    params: Type.Object({ id: Type.String() }),
    reading: "documents:read",
    writing: "documents:write",
  },
  ...(["folder", "knowledge_base"] as const).map((scope) => ({
    path: scope === "folder" ? "/folders/{id}/summary" : "/knowledge-bases/{id}/summary",
    name: scope,
    scope,
    params: Type.Object({ id: integerId() }),
    reading: "knowledge-bases:read" as const,
    writing: "knowledge-bases:write" as const,
  })),
];

/** The parameters of a route as strings by name, because the routes' schemas differ. */
const textsIn = (given: object): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));

const keyOf = (noun: Noun, caller: Caller, id: string | undefined, block: string | undefined): TargetKey => ({
  workspaceId: caller.workspaceId,
  scope: noun.scope === "document" && block !== undefined ? "section" : noun.scope,
  targetId: String(id),
  blockId: block ?? "",
});

const sectionQuery = (noun: Noun): TProperties => (noun.scope === "document" ? { block_id: blockId } : {});

const focusQuery = (noun: Noun): TProperties =>
  noun.scope === "document"
    ? {
        query: Type.Optional(
          Type.String({ minLength: 1, maxLength: 512, description: "The blocks that answer this best; never stored." }),
        ),
      }
    : {};

const jobOf = (row: JobRow) => {
  const payload: TargetKey = JSON.parse(row.payload);
  return {
    id: row.id,
    status: row.status,
    scope: payload.scope,
    target_id: payload.targetId,
    block_id: payload.blockId || null,
    error: row.error === null ? null : JSON.parse(row.error),
    created_at: row.created_at,
    finished_at: row.finished_at,
    summary_version: row.result === null ? null : JSON.parse(row.result).summary_version,
  };
};

/**
 * The ETag is the version alone, which covers neither the freshness of a summary nor a running model. A client that
 * cached a current summary must learn that it has become stale.
 */
const isCovered = (app: Pick<Services, "model">, { freshness }: SummaryData): boolean =>
  freshness === "current" && !app.model;

const readRoute = (noun: Noun): Route =>
  read({
    operation: `get_${noun.name}_summary`,
    path: noun.path,
    tag,
    summary: `The summary of a ${noun.name.replace("_", " ")}.`,
    description:
      "The stored summary, whatever its age (see `freshness`), or a deterministic one made for this request. A read never recomputes what is stored.",
    scopes: [noun.reading],
    access: { action: "read", subject: noun.name },
    params: noun.params,
    query: object({
      ...sectionQuery(noun),
      ...focusQuery(noun),
    }),
    etag: true,
    success: { status: 200, description: "It.", data: Summary, example: { ...exampleSummary, scope: noun.scope } },
    handler: async ({ app, caller, db, params, query, request }) => {
      const { block_id, query: words } = textsIn(query);
      const target = await loadTarget(db, keyOf(noun, caller, textsIn(params).id, block_id));
      const summary =
        words !== undefined && target.kind === "document"
          ? freshSummary(target, digestFor(words, target), false)
          : await readSummary(db, target);
      if (isCovered(app, summary) && alreadyHas(request.headers["if-none-match"], summary.summary_version))
        return notModified(summary.summary_version);
      return ok(summary, { etag: summary.summary_version });
    },
  });

const saveRoute = (noun: Noun): Route =>
  put({
    operation: `put_${noun.name}_summary`,
    path: noun.path,
    tag,
    summary: `Save your own summary of a ${noun.name.replace("_", " ")}.`,
    description: "Needs the summary's ETag in `If-Match` and the source's version in `base_source_version`.",
    scopes: [noun.writing],
    access: { action: "write", subject: noun.name },
    params: noun.params,
    query: object(sectionQuery(noun)),
    body: ManualSummary,
    bodyExample: { text: "All about starting.", base_source_version: exampleSummary.source_version, pinned: true },
    ifMatch: "required",
    etag: true,
    success: {
      status: 200,
      description: "It, saved.",
      data: Summary,
      example: { ...exampleSummary, scope: noun.scope },
    },
    handler: async ({ caller, tx, params, query, body, ifMatch }) => {
      const key = keyOf(noun, caller, textsIn(params).id, textsIn(query).block_id);
      const summary = await saveManual(tx, key, {
        text: body.text.trim(),
        baseSourceVersion: body.base_source_version,
        pinned: body.pinned,
        expected: ifMatch,
        authorId: caller.userId,
      });
      return ok(summary, { etag: summary.summary_version });
    },
  });

const rebuildRoute = (noun: Noun): Route =>
  post({
    operation: `rebuild_${noun.name}_summary`,
    path: `${noun.path}/rebuild`,
    tag,
    summary: `Make the summary of a ${noun.name.replace("_", " ")} anew.`,
    description:
      "Deterministic at once (200), or by the model as a job (202). It replaces a pinned summary's text and keeps the pin.",
    scopes: [noun.writing],
    access: { action: "write", subject: noun.name },
    params: noun.params,
    query: object({ generator, ...sectionQuery(noun) }),
    body: rebuildOf(noun.scope),
    bodyExample: { generator: "deterministic" },
    bodyOptional: true,
    etag: true,
    errors: ["model_not_configured", "quota_exceeded"],
    success: {
      status: 200,
      description: "The new summary.",
      data: Summary,
      example: { ...exampleSummary, scope: noun.scope },
      alternatives: [{ status: 202, description: "The job that writes it.", data: SummaryJob, example: exampleJob }],
    },
    handler: async ({ app, caller, tx, params, query, body }) => {
      const asked = textsIn({ ...query, ...body });
      const key = keyOf(noun, caller, textsIn(params).id, asked.block_id);
      if (asked.generator !== "model") {
        const summary = await rebuildDeterministic(tx, key);
        return ok(summary, { etag: summary.summary_version });
      }
      if (!caller.scopes.includes("summaries:generate"))
        throw apiError("insufficient_scope", { required_scopes: [noun.writing, "summaries:generate"] });
      return accepted(jobOf(await startModelJob(app, tx, key, caller.userId)));
    },
  });

export const summaryRoutes: Route[] = [
  ...nouns.flatMap((noun) => [readRoute(noun), saveRoute(noun), rebuildRoute(noun)]),
  read({
    operation: "get_summary_job",
    path: "/summary-jobs/{id}",
    tag,
    summary: "How far a model summary is.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "summary_job" },
    params: Type.Object({ id: Type.String() }),
    success: { status: 200, description: "The job.", data: SummaryJob, example: exampleJob },
    handler: async ({ caller, db, params }) => ok(jobOf(await getJob(db, caller.workspaceId, params.id, SUMMARY_JOB))),
  }),
];
