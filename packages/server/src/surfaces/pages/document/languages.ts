import { ApiError } from "@svc/sdk";
import { languagePage } from "@svc/web/server/pages/document/language-page";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { documentHead } from "./document-head.ts";
import { readVariants } from "./translations.ts";

const typed = ({ form }: MemberVisit, name: string): string => (form.get(name) ?? "").trim();

async function showLanguages(visit: MemberVisit, wrong?: string, status = 200): Promise<Outcome> {
  const head = await documentHead(visit);
  const variants = await readVariants(visit, head.id);
  const given = { own: typed(visit, "own"), added: typed(visit, "added") };
  return show(languagePage({ head, variants, given, formToken: visit.formToken, now: Date.now(), wrong }), status);
}

/** Adds a language. The first one turns the page into a document set; later ones join it. */
async function addLanguage(visit: MemberVisit): Promise<Outcome> {
  const { id } = await documentHead(visit);
  const locale = typed(visit, "added");
  const variants = await readVariants(visit, id);
  const source = variants?.find((variant) => variant.variant_role === "source")?.document_id ?? id;
  const path = { id: source };
  try {
    if (variants) await visit.api.post("/documents/{id}/localizations", { path, body: { locale } });
    else {
      const body = { source_locale: typed(visit, "own"), target_locales: [locale] };
      await visit.api.post("/documents/{id}/localization/activate", { path, body });
    }
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error;
    return showLanguages(visit, error.message, error.status);
  }
  return goTo(`/documents/${id}/translations`, "language-added");
}

export const languagePages = [
  get("/documents/:id/translations", (visit) => showLanguages(visit)),
  post("/documents/:id/translations", addLanguage),
];
