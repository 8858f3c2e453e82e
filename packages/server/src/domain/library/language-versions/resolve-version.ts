import type { Reader } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { type LoadedSet, loadSet } from "./load-set.ts";
import { resolveLocale } from "./locale-chain.ts";

/** The version that a reader gets, and whether it is the requested one. */
interface Resolution {
  readonly document: DocumentRow;
  readonly requested_locale: string | null;
  readonly resolved_locale: string | null;
  readonly fallback_used: boolean;
}

/** The version of a set for a language, with fallback; the document itself if no language is requested. */
export function resolveIn(loaded: LoadedSet, document: DocumentRow, requested: string | null): Resolution {
  const { set, source, versions } = loaded;
  const chain = { fallback: set.fallback_locale, source: set.source_locale };
  const found = requested === null ? document : (resolveLocale(versions, requested, chain) ?? source);
  return {
    document: found,
    requested_locale: requested,
    resolved_locale: found.locale,
    fallback_used: requested !== null && requested !== found.locale,
  };
}

export async function resolveVersion(
  db: Reader,
  workspaceId: string,
  documentId: string,
  requested: string | null,
): Promise<Resolution> {
  const document = await getDocument(db, workspaceId, documentId);
  if (requested !== null && document.document_set_id !== null)
    return resolveIn(await loadSet(db, workspaceId, document.document_set_id), document, requested);
  return {
    document,
    requested_locale: requested,
    resolved_locale: document.locale,
    fallback_used: requested !== null && requested !== document.locale,
  };
}
