import type { Reader } from "../../../db/database.ts";
import { statement } from "../../../db/statement/statement.ts";

const localesOf = statement<{ workspaceId: string }, { readonly locale: string | null }>((db, value) =>
  db
    .selectFrom("documents")
    .select("locale")
    .distinct()
    .where("workspace_id", "=", value("workspaceId"))
    .where("locale", "is not", null)
    .orderBy("locale"),
);

const primary = (locale: string): string => locale.split("-")[0] ?? locale;

/** The languages of the workspace's documents, as far as they are known. Only translated workspaces have any. */
export async function languagesOf(db: Reader, workspaceId: string, hasTranslations: boolean): Promise<string[]> {
  if (!hasTranslations) return [];
  const rows = await localesOf(db, { workspaceId });
  return [...new Set(rows.flatMap(({ locale }) => (locale === null ? [] : [primary(locale)])))].sort();
}
