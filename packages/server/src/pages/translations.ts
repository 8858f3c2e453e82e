import type { Variant } from "@svc/web/pages/languages";
import { translationsPage, type Unit } from "@svc/web/pages/translations";
import { ApiError, notFound } from "../errors.ts";
import { listTranslatedSets } from "./browse-queries.ts";
import { documentHead } from "./document-head.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "./visit.ts";

const SET = "GET /documents/{id}/localizations";
const UNITS = "GET /documents/{id}/translation-units";
const REVIEW = "PATCH /documents/{id}/translation-units/{unitId}";
const APPLY = "POST /translation-jobs/{id}/apply";
/** So many are shown at a time, looked for in so many pages at most. */
const MOST_SHOWN = 50;
const MOST_PAGES = 20;

type ListedVariant = Variant & { readonly version: string };

/** The language versions of a document; undefined for a document of one language. */
export async function readVariants(visit: MemberVisit, id: string): Promise<readonly ListedVariant[] | undefined> {
  if (!visit.api.has(SET)) return undefined;
  try {
    const { data } = await visit.api.call<{ data: { variants: readonly ListedVariant[] } }>(visit, SET, {
      params: { id },
    });
    return data.variants;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  }
}

const ONE_SET = "GET /document-sets/{id}";
const MOST_SETS = 20;

/** Translations that are not current, of the sets that were changed last; undefined where there are no languages. */
export async function readWaitingVariants(visit: MemberVisit): Promise<readonly Variant[] | undefined> {
  if (!visit.api.has(ONE_SET)) return undefined;
  const { database } = visit.app;
  const ids = await listTranslatedSets(database.read, visit.viewer.workspace.id, MOST_SETS);
  const sets = await Promise.all(
    ids.map((id) => visit.api.call<{ data: { variants: readonly Variant[] } }>(visit, ONE_SET, { params: { id } })),
  );
  return sets
    .flatMap(({ data }) => data.variants)
    .filter((variant) => variant.variant_role === "target" && variant.translation_freshness !== "current");
}

const isWaiting = (unit: Unit): boolean =>
  unit.review_status === "unreviewed" && (unit.freshness !== "current" || unit.candidate !== null);

interface UnitPage {
  readonly data: readonly Unit[];
  readonly page: { readonly next_cursor: string | null };
}

/** The first units that wait for somebody to look at them. */
async function waitingUnits(visit: MemberVisit, id: string, locale: string) {
  const units: Unit[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES && units.length <= MOST_SHOWN; pages++) {
    const query: Record<string, string> = { locale, limit: "100", ...(cursor && { cursor }) };
    const { data, page }: UnitPage = await visit.api.call<UnitPage>(visit, UNITS, { params: { id }, query });
    units.push(...data.filter(isWaiting));
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return { units: units.slice(0, MOST_SHOWN), isPart: units.length > MOST_SHOWN || cursor !== null };
}

async function showTranslations(visit: MemberVisit, wrong?: string, status = 200): Promise<Outcome> {
  const head = await documentHead(visit);
  const locale = visit.params.locale ?? "";
  const variants = await readVariants(visit, head.id);
  const source = variants?.find((variant) => variant.variant_role === "source");
  const target = variants?.find((variant) => variant.variant_role === "target" && variant.locale === locale);
  if (!source || !target) throw notFound("localization", locale);
  const { units, isPart } = await waitingUnits(visit, head.id, locale);
  const { formToken } = visit;
  const targetVersion = target.version;
  const shared = { head, source, target, targetVersion, units, isPart, formToken, now: Date.now() };
  return show(translationsPage({ ...shared, wrong }), status);
}

/** The answer counts for the target as it was shown; if it changed meanwhile, it is shown again. */
async function decide(visit: MemberVisit): Promise<Outcome> {
  const { form, params, api, path } = visit;
  const [unit, answer, ifMatch] = [form.get("unit") ?? "", form.get("answer"), form.get("version") ?? ""];
  try {
    if (answer === "apply")
      await api.call(visit, APPLY, { params: { id: form.get("job") ?? "" }, body: { unit_ids: [unit] }, ifMatch });
    else {
      const body = { review_status: answer === "current" ? "current" : "ignored" };
      await api.call(visit, REVIEW, { params: { id: params.id ?? "", unitId: unit }, body, ifMatch });
    }
    return goTo(path, answer === "apply" ? "translated" : "reviewed");
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return showTranslations(visit, error.message, 409);
    throw error;
  }
}

export const translationPages = [
  get("/documents/:id/translations/:locale", (visit) => showTranslations(visit)),
  post("/documents/:id/translations/:locale", decide),
];
