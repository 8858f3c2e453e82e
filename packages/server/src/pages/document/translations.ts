import { ApiError, listPages } from "@svc/sdk";
import type { Variant } from "@svc/web/pages/document/languages";
import { translationsPage, type Unit } from "@svc/web/pages/document/translations";
import { notFound } from "../../errors.ts";
import { listTranslatedSets } from "../library/browse-queries.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { documentHead } from "./document-head.ts";

/** So many are shown at a time, looked for in so many pages at most. */
const MOST_SHOWN = 50;
const MOST_PAGES = 20;

type ListedVariant = Variant & { readonly version: string };

/** The language versions of a document; undefined for a document of one language. */
export async function readVariants(visit: MemberVisit, id: string): Promise<readonly ListedVariant[] | undefined> {
  try {
    const { data } = await visit.api.get("/documents/{id}/localizations", { path: { id } });
    return data.variants.length > 0 ? data.variants : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return undefined;
    throw error;
  }
}

const MOST_SETS = 20;

/** Translations that are not current, of the sets that were changed last. */
export async function readWaitingVariants(visit: MemberVisit): Promise<readonly Variant[]> {
  const { database } = visit.app;
  const ids = await listTranslatedSets(database.read, visit.viewer.workspace.id, MOST_SETS);
  const sets = await Promise.all(ids.map((id) => visit.api.get("/document-sets/{id}", { path: { id } })));
  return sets
    .flatMap(({ data }) => data.variants)
    .filter((variant) => variant.variant_role === "target" && variant.translation_freshness !== "current");
}

const isWaiting = (unit: Unit): boolean =>
  unit.review_status === "unreviewed" && (unit.freshness !== "current" || unit.candidate !== null);

/** The first units that wait for somebody to look at them. */
async function waitingUnits(visit: MemberVisit, id: string, locale: string) {
  const units: Unit[] = [];
  let pagesLeft = MOST_PAGES;
  let isPart = false;
  const options = { path: { id }, query: { locale, limit: 100 } };
  for await (const { data, page } of listPages(visit.api, "/documents/{id}/translation-units", options)) {
    units.push(...data.filter(isWaiting));
    isPart = page.has_more;
    if (--pagesLeft === 0 || units.length > MOST_SHOWN) break;
  }
  return { units: units.slice(0, MOST_SHOWN), isPart: isPart || units.length > MOST_SHOWN };
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
  const [unit, answer, ifMatch] = [
    idFrom(form.get("unit"), "translation_unit"),
    form.get("answer"),
    form.get("version") ?? "",
  ];
  try {
    if (answer === "apply")
      await api.post("/translation-jobs/{id}/apply", {
        path: { id: idFrom(form.get("job"), "translation_job") },
        body: { unit_ids: [unit] },
        ifMatch,
      });
    else
      await api.patch("/documents/{id}/translation-units/{unitId}", {
        path: { id: idFrom(params.id, "document"), unitId: unit },
        body: { review_status: answer === "current" ? "current" : "ignored" },
        ifMatch,
      });
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
