import type { Reader } from "../../db/database.ts";
import { notFound } from "../../errors.ts";
import { parseLocale } from "../documents/parse-locale.ts";

/** The versions of a document's set may be in several knowledge bases: what a request about languages reaches there. */
interface About {
  readonly path: string;
  readonly params: unknown;
  readonly body: unknown;
}

/**
 * The knowledge bases of the source and of the version that a write about languages is about, beside the document in
 * its path, as `db` shows them; 404 in the words of the route for what it does not show.
 */
export async function placesOfVersions(
  db: Reader,
  workspaceId: string,
  { path, params, body }: About,
): Promise<number[]> {
  if (!/^\/documents\/\{id\}\/(localization|translation)/.test(path)) return [];
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
