import type { Reader } from "../../../db/database.ts";
import { notFound } from "../../../errors.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";

/**
 * Returns the knowledge bases of the source and of the version that a request about languages changes, beside the
 * document in its path. The versions of a document may be in several; 404 for one that `db` does not show.
 */
export async function basesOfVersions(
  db: Reader,
  workspaceId: string,
  { params, body }: { readonly params: unknown; readonly body: unknown },
): Promise<number[]> {
  const [id = "", locale, unitId] = ["id", "locale", "unitId"].map((name) => textIn(params, name));
  const document = await findDocument(db, workspaceId, id);
  if (!document?.document_set_id) return [];
  const versions = await listVersions(db, workspaceId, document.document_set_id);
  const source = versions.find(({ variant_role }) => variant_role === "source");
  if (!source) throw notFound("document_set", id);
  const wanted = locale ?? textIn(body, "target_locale");
  const version = wanted === undefined ? source : versions.find((one) => one.locale === parseLocale(wanted));
  if (!version) throw notFound("localization", parseLocale(wanted ?? ""));
  const ofUnit = unitId === undefined ? version : await findUnitVersion(db, workspaceId, unitId, versions);
  return [source, version, ofUnit].map(({ knowledge_base_id }) => knowledge_base_id);
}

const textIn = (fields: unknown, name: string): string | undefined => {
  const value = Object.entries(fields ?? {}).find(([field]) => field === name)?.[1];
  return typeof value === "string" ? value : undefined;
};

const findDocument = (db: Reader, workspaceId: string, id: string) =>
  db
    .selectFrom("documents")
    .select("document_set_id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();

const listVersions = (db: Reader, workspaceId: string, setId: string) =>
  db
    .selectFrom("documents")
    .select(["id", "locale", "variant_role", "knowledge_base_id"])
    .where("workspace_id", "=", workspaceId)
    .where("document_set_id", "=", setId)
    .execute();

type Version = Awaited<ReturnType<typeof listVersions>>[number];

async function findUnitVersion(
  db: Reader,
  workspaceId: string,
  unitId: string,
  versions: readonly Version[],
): Promise<Version> {
  const unit = await db
    .selectFrom("translation_units")
    .select("document_id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", unitId)
    .executeTakeFirst();
  const version = versions.find(({ id }) => id === unit?.document_id);
  if (!version) throw notFound("translation_unit", unitId);
  return version;
}
