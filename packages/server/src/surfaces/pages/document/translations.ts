import { serialiseBlock } from "@svc/document/markdown/serialise";
import { ApiError } from "@svc/sdk";
import type { Variant } from "@svc/web/server/pages/document/languages";
import { translationsPage, type Unit } from "@svc/web/server/pages/document/translations";
import { readBody } from "../../../bodies/load-body.ts";
import { listTextBlocks } from "../../../domain/knowledge/localization/blocks/text-blocks.ts";
import { listPage } from "../../../domain/knowledge/localization/list-units.ts";
import { describeSet } from "../../../domain/knowledge/localization/represent.ts";
import { findDocument } from "../../../domain/library/documents/queries.ts";
import { loadSet } from "../../../domain/library/language-versions/load-set.ts";
import { notFound } from "../../../errors.ts";
import { listTranslatedSets } from "../library/browse-queries.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show, unlessMissing, versionFrom } from "../visit.ts";
import { documentHead } from "./document-head.ts";

/** How many translations are shown, and in how many sets they are searched. */
const MAX_SHOWN = 50;
const MAX_PAGES = 20;

type ListedVariant = Variant & { readonly version: string };

/** The language versions of a document; undefined for a document in one language. */
export async function readVariants(visit: MemberVisit, id: string): Promise<readonly ListedVariant[] | undefined> {
  const { read } = visit.app.database;
  const workspaceId = visit.viewer.workspace.id;
  const setId = (await findDocument(read, workspaceId, id))?.document_set_id;
  const set = setId ? await unlessMissing(loadSet(read, workspaceId, setId)) : undefined;
  return set && (await describeSet(read, set)).variants;
}

const MAX_SETS = 20;

/** Outdated translations in the most recently changed sets. */
export async function readWaitingVariants(visit: MemberVisit): Promise<readonly Variant[]> {
  const { read } = visit.app.database;
  const workspaceId = visit.viewer.workspace.id;
  const ids = await listTranslatedSets(read, workspaceId, MAX_SETS);
  const sets = await Promise.all(ids.map(async (id) => describeSet(read, await loadSet(read, workspaceId, id))));
  return sets
    .flatMap(({ variants }) => variants)
    .filter((variant) => variant.variant_role === "target" && variant.translation_freshness !== "current");
}

/** The lines of the target as Markdown, by block id. */
async function readLines({ app, viewer }: MemberVisit, documentId: string): Promise<ReadonlyMap<string, string>> {
  const body = await readBody(app.database.read, { workspaceId: viewer.workspace.id, documentId });
  return new Map(
    listTextBlocks(body.blocks).map(({ id, node }) => [
      id,
      node.content?.length ? serialiseBlock({ type: "paragraph", content: node.content }).text : "",
    ]),
  );
}

const isWaiting = (unit: Unit): boolean =>
  unit.review_status === "unreviewed" && (unit.freshness !== "current" || unit.candidate !== null);

/** The first units that need attention, or the first of all units. */
async function firstUnits(visit: MemberVisit, id: string, locale: string, isAll: boolean) {
  const { app, viewer } = visit;
  const units: Unit[] = [];
  let isPart = false;
  for (let pages = 0, cursor: string | null | undefined; cursor !== null && pages < MAX_PAGES; pages++) {
    const query = { locale, limit: 100, ...(cursor !== undefined && { cursor }) };
    const { data, page } = (await listPage(app, app.database.read, viewer.workspace.id, id, query)).envelope;
    units.push(...(isAll ? data : data.filter(isWaiting)));
    isPart = page.has_more;
    cursor = page.next_cursor;
    if (units.length > MAX_SHOWN) break;
  }
  return { units: units.slice(0, MAX_SHOWN), isPart: isPart || units.length > MAX_SHOWN };
}

async function showTranslations(visit: MemberVisit, wrong?: string, status = 200): Promise<Outcome> {
  const head = await documentHead(visit);
  const locale = visit.params.locale ?? "";
  const variants = await readVariants(visit, head.id);
  const source = variants?.find((variant) => variant.variant_role === "source");
  const target = variants?.find((variant) => variant.variant_role === "target" && variant.locale === locale);
  if (!source || !target) throw notFound("localization", locale);
  const isAll = visit.query.get("all") === "1";
  const { units, isPart } = await firstUnits(visit, head.id, locale, isAll);
  const lines = await readLines(visit, target.document_id);
  const { formToken } = visit;
  const targetVersion = target.version;
  const shared = { head, source, target, targetVersion, units, lines, isAll, isPart, formToken, now: Date.now() };
  return show(translationsPage({ ...shared, wrong }), status);
}

/** Applies the answer to the target as it was shown; if the target changed meanwhile, shows it again. */
async function decide(visit: MemberVisit): Promise<Outcome> {
  const { form, path } = visit;
  const isAll = visit.query.get("all") === "1";
  const answer = form.get("answer");
  try {
    const notice = answer === "propose" ? await propose(visit) : await answerUnit(visit, answer);
    return goTo(isAll ? `${path}?all=1` : path, notice);
  } catch (error) {
    if (error instanceof ApiError && [409, 422].includes(error.status))
      return showTranslations(visit, error.message, error.status);
    throw error;
  }
}

/** Requests machine translations for texts that have none yet. */
async function propose({ api, params }: MemberVisit): Promise<string> {
  const path = { id: idFrom(params.id, "document") };
  await api.post("/documents/{id}/translation-jobs", { path, body: { target_locale: params.locale ?? "" } });
  return "proposing";
}

/** Settles a text: an unchanged machine translation is used with its marks, an unchanged existing text is confirmed. */
async function answerUnit({ form, params, api }: MemberVisit, answer: string | null): Promise<string> {
  const unitId = idFrom(form.get("unit"), "translation_unit");
  const ifMatch = versionFrom(form);
  const typed = (form.get("text") ?? "").replaceAll("\r\n", "\n").trim();
  const isMachine = answer === "apply" || (answer === "accept" && typed !== "" && typed === form.get("proposal"));
  if (isMachine) {
    const path = { id: idFrom(form.get("job"), "translation_job") };
    const { data } = await api.post("/translation-jobs/{id}/apply", { path, body: { unit_ids: [unitId] }, ifMatch });
    if (data.applied.length > 0 || answer === "apply") return "translated";
  }
  const path = { id: idFrom(params.id, "document"), unitId };
  const isOwn = answer === "accept" && typed !== "" && typed !== form.get("before");
  const review_status = answer === "ignored" ? ("ignored" as const) : ("current" as const);
  const body = isOwn ? { target_text: typed } : { review_status };
  await api.patch("/documents/{id}/translation-units/{unitId}", { path, body, ifMatch });
  return isOwn ? "translated" : "reviewed";
}

export const translationPages = [
  get("/documents/:id/translations/:locale", (visit) => showTranslations(visit)),
  post("/documents/:id/translations/:locale", decide),
];
