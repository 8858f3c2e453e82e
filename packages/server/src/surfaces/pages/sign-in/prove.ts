import { provePage } from "@svc/web/server/pages/sign-in/prove";
import {
  forMembers,
  get,
  goTo,
  HOME,
  localPath,
  type MemberVisit,
  type Outcome,
  type PageRoute,
  post,
  show,
} from "../visit.ts";
import { isProvenNow, PROOF_FIELDS, takeProof, waysToProve } from "./proof.ts";

/** Wraps a form that requires a fresh proof of identity. */
export const withProof = (route: PageRoute): PageRoute => ({
  ...route,
  handler: forMembers(async (visit) => {
    if (isProvenNow(visit.viewer)) return route.handler(visit);
    const isTried = visit.form.has("proof");
    const wrong = isTried ? await takeProof(visit) : undefined;
    return isTried && wrong === undefined ? route.handler(visit) : askForProof(visit, wrong);
  }),
});

/** Shows the form again with its fields, and asks for the proof. */
async function askForProof(visit: MemberVisit, wrong?: string): Promise<Outcome> {
  const fields = [...visit.form].filter(([name]) => name !== "form_token" && !PROOF_FIELDS.includes(name));
  const ways = await waysToProve(visit);
  const back = pageBefore(visit);
  return show(
    provePage({ formToken: visit.formToken, action: visit.path, fields, ways, back, away: back, wrong }),
    wrong === undefined ? 403 : 422,
  );
}

/** The page with the form. */
function pageBefore({ headers, baseUrl }: MemberVisit): string {
  const from = URL.parse(String(headers.referer ?? ""));
  const base = new URL(baseUrl);
  if (!from || from.origin !== base.origin) return HOME;
  return localPath(from.pathname.slice(base.pathname.replace(/\/$/, "").length) || "/");
}

async function showProve(visit: MemberVisit): Promise<Outcome> {
  const next = localPath(visit.query.get("next"));
  if (isProvenNow(visit.viewer)) return goTo(next);
  const ways = await waysToProve(visit);
  const fields: [string, string][] = [["next", next]];
  return show(provePage({ formToken: visit.formToken, action: "/prove", fields, ways, back: next, away: HOME }));
}

export const provePages = [
  get("/prove", showProve),
  withProof(post("/prove", async ({ form }) => goTo(localPath(form.get("next"))))),
];
