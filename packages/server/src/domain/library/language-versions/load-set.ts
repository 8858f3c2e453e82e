import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import type { DocumentSetRow, TranslationStateRow } from "../../../db/schema/tables/localization.ts";
import { notFound } from "../../../errors.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { listStates } from "../../library/documents/translation-state.ts";
import { getSet, listVersions } from "./queries.ts";

/** A document set with its language versions. */
export interface LoadedSet {
  readonly set: DocumentSetRow;
  readonly source: DocumentRow;
  /** The source first, then the targets by language. */
  readonly versions: readonly DocumentRow[];
}

export async function loadSet(db: Reader, workspaceId: string, id: string): Promise<LoadedSet> {
  const set = await getSet(db, workspaceId, id);
  const versions = await listVersions(db, workspaceId, id);
  const source = versions.find((version) => version.id === set.document_id);
  if (!source) throw notFound("document_set", id);
  return { set, source, versions };
}

/** The document set of a document; responds 404 for a single-language document. */
export async function loadSetOf(
  db: Reader,
  workspaceId: string,
  documentId: string,
): Promise<LoadedSet & { readonly document: DocumentRow }> {
  const document = await getDocument(db, workspaceId, documentId);
  if (document.document_set_id === null) throw notFound("document_set", documentId);
  return { ...(await loadSet(db, workspaceId, document.document_set_id)), document };
}

/** The languages that a restricted reader sees; undefined for a reader that sees all. */
export async function localesSeen(db: Reader, document: DocumentRow): Promise<string[] | undefined> {
  if (db.audience === undefined || document.document_set_id === null) return undefined;
  const versions = await listVersions(db, document.workspace_id, document.document_set_id);
  return versions.flatMap(({ locale }) => locale ?? []);
}

export const targetsOf = ({ versions }: Pick<LoadedSet, "versions">): DocumentRow[] =>
  versions.filter((version) => version.variant_role === "target");

export function versionIn({ versions }: Pick<LoadedSet, "versions">, locale: string): DocumentRow {
  const version = versions.find((candidate) => candidate.locale === locale);
  if (!version) throw notFound("localization", locale);
  return version;
}

export function targetIn(set: Pick<LoadedSet, "versions">, locale: string): DocumentRow {
  const version = versionIn(set, locale);
  if (version.variant_role !== "target") throw notFound("localization", locale);
  return version;
}

export async function statesOf(db: Reader, set: LoadedSet): Promise<Map<string, TranslationStateRow>> {
  const ids = targetsOf(set).map(({ id }) => id);
  const states = await listStates(db, set.set.workspace_id, ids);
  return new Map(states.map((state) => [state.document_id, state]));
}
