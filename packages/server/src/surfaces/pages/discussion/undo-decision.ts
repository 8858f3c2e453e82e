import { ApiError } from "@svc/sdk";
import type { Undo } from "@svc/web/shared/page";
import { listSnapshots } from "../../../domain/content/versions/queries.ts";
import { getSuggestion, suggestionVersion } from "../../../domain/discussion/suggestions/queries.ts";
import { getDocument } from "../../../domain/library/documents/queries.ts";
import { goTo, HOME, idFrom, type MemberVisit, type Outcome, versionFrom } from "../visit.ts";

/** Separates a notice's key from the data for its undo; a cookie carries both. */
const BETWEEN = "--";

/** The page itself as the place to return to after a decision. */
export const FROM_PAGE = "page";

const pack = (version: string): string => Buffer.from(version).toString("base64url");
const unpack = (packed: string): string => Buffer.from(packed, "base64url").toString();

interface Decision {
  readonly documentId: string;
  readonly suggestionId: string;
}

/** The notice of a rejection with its undo, which needs the suggestion's new version. */
export const rejectedNotice = ({ documentId, suggestionId }: Decision, version: string): string =>
  ["suggestion-rejected", documentId, suggestionId, pack(version)].join(BETWEEN);

/** The notice of a rejected concept candidate with its undo. */
export const rejectedCandidate = ({ id, version }: { readonly id: string; readonly version: string }): string =>
  ["rejected", id, pack(version)].join(BETWEEN);

/** The notice of an acceptance. Its undo restores the previous text as long as the page has not changed since. */
export async function acceptedNotice(
  { app, viewer }: MemberVisit,
  { documentId, suggestionId }: Decision,
): Promise<string> {
  const { read } = app.database;
  const key = { workspaceId: viewer.workspace.id, documentId };
  const [document, [before]] = await Promise.all([
    getDocument(read, key.workspaceId, documentId),
    listSnapshots(read, key, app.config.versionRetention, Number.MAX_SAFE_INTEGER, 1),
  ]);
  if (before?.reason !== "suggestion") return "suggestion-accepted";
  return ["suggestion-accepted", documentId, suggestionId, pack(document.version), before.seq].join(BETWEEN);
}

/** Parses a notice into its key and the form that undoes the decision. */
export function readNotice(
  value: string | undefined,
  path: string,
): { readonly key: string | null; readonly undo?: Undo } {
  const [key = null, documentId, suggestionId, version, seq = ""] = value?.split(BETWEEN) ?? [];
  if (key === "rejected" && documentId && suggestionId)
    return {
      key,
      undo: { action: "/review/reopen", fields: { candidate: documentId, version: unpack(suggestionId) } },
    };
  if (!documentId || !suggestionId || !version) return { key };
  const fields: Record<string, string> = { version: unpack(version) };
  if (seq) fields.seq = seq;
  if (isList(path)) fields.from = path;
  if (/^\/documents\/\w+$/.test(path)) fields.from = FROM_PAGE;
  return { key, undo: { action: `/documents/${documentId}/suggestions/${suggestionId}/undo`, fields } };
}

/** Whether a page lists suggestions of several pages. */
const isList = (path: string | null): path is string => path === "/review" || path === HOME;

/** Reopens a suggestion. After an acceptance, it first restores the text from before. */
export async function undoDecision(visit: MemberVisit): Promise<Outcome> {
  const { api, app, form, params, viewer } = visit;
  const id = idFrom(params.id, "document");
  const path = { id: idFrom(params.suggestion, "suggestion") };
  const seq = form.get("seq");
  const from = form.get("from");
  const page = `/documents/${id}${from === FROM_PAGE ? "?panel=comments" : "/suggestions"}`;
  const back = isList(from) ? from : page;
  const ifMatch = versionFrom(form);
  try {
    if (seq === null) await api.post("/suggestions/{id}/reopen", { path, ifMatch });
    else {
      await api.post("/documents/{id}/versions/{seq}/rollback", { path: { id, seq: Number(seq) }, ifMatch });
      const row = await getSuggestion(app.database.read, viewer.workspace.id, path.id);
      await api.post("/suggestions/{id}/reopen", { path, ifMatch: suggestionVersion(row) });
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return goTo(back, "undo-too-late");
    throw error;
  }
  return goTo(back, seq === null ? "suggestion-reopened" : "suggestion-undone");
}
