import type { Static } from "typebox";
import type { Reader } from "../../../db/database.ts";
import type { ListAnswer } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import type { Services } from "../../../services.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { loadSetOf, targetIn, targetsOf } from "../../library/language-versions/load-set.ts";
import type { UnitQuery } from "./translation-schema.ts";
import { listUnitPage } from "./units/list-units.ts";
import { unitOf } from "./units/represent-unit.ts";

/** One page of the translation units of a document, or of one of its target languages. */
export async function listPage(
  { secret }: Pick<Services, "secret">,
  db: Reader,
  workspaceId: string,
  documentId: string,
  query: Static<typeof UnitQuery>,
): Promise<ListAnswer<ReturnType<typeof unitOf>>> {
  const wanted = query.locale === undefined ? undefined : parseLocale(query.locale);
  const loaded = await loadSetOf(db, workspaceId, documentId);
  const own = loaded.document.variant_role === "target" ? [loaded.document] : targetsOf(loaded);
  const targets = wanted === undefined ? own : [targetIn(loaded, wanted)];
  const filter = { freshness: query.freshness, reviewStatus: query.review_status };
  const identity = ["translation-units", targets.map(({ id }) => id), filter];
  return pageOf(secret, identity, query, {
    fetch: (after, size) => listUnitPage(db, loaded.source, targets, filter, after, size),
    keyOf: ({ key }) => key,
    represent: ({ unit, sides }) => unitOf(unit, sides),
  });
}
