import { ApiError } from "@svc/sdk";
import { findUserName } from "../../resources/accounts/queries.ts";
import { listConceptsOfDocument } from "../../resources/concepts/queries.ts";
import { listSnapshots } from "../../resources/versions/queries.ts";
import type { MemberVisit } from "../visit.ts";
import { titlesOf } from "./backlinks.ts";

const MOST = 10;

/** Pages that this one points to, each once. */
export async function readRelated(visit: MemberVisit, id: string) {
  const query = { direction: "outgoing", limit: 50 } as const;
  const { data } = await visit.api.get("/documents/{id}/relations", { path: { id }, query });
  const targets = data.flatMap(({ target_document_id: target, state }) =>
    target && target !== id && state === "ok" ? [target] : [],
  );
  const titles = await titlesOf(visit, [...new Set(targets)].slice(0, MOST));
  return [...titles].map(([target, title]) => ({ id: target, title }));
}

/** The summary as Markdown; undefined where there is none, or it would only repeat a short page. */
export async function readSummary(visit: MemberVisit, id: string, characters: number) {
  if (characters < 400) return undefined;
  try {
    const { data } = await visit.api.get("/documents/{id}/summary", { path: { id } });
    return data.status === "ready" && data.text.trim() !== ""
      ? { text: data.text, isStale: data.freshness === "stale" }
      : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The concepts that name this document, or a part of it, as evidence. */
export async function readConcepts({ app, viewer }: MemberVisit, id: string) {
  return listConceptsOfDocument(app.database.read, viewer.workspace.id, id, MOST);
}

/** The name of who made the last change that a version was kept for; who made the document otherwise. */
export async function readLastAuthor({ app, viewer }: MemberVisit, id: string, createdBy: string) {
  const key = { workspaceId: viewer.workspace.id, documentId: id };
  const [last] = await listSnapshots(app.database.read, key, app.config.versionRetention, Number.MAX_SAFE_INTEGER, 1);
  return last ? last.creator_name : ((await findUserName(app.database.read, createdBy)) ?? null);
}
