import { defined } from "@svc/document/defined";
import { historyEntryPage, historyPage, historyTextPage } from "@svc/web/server/pages/document/history";
import { StoredBody } from "../../../bodies/body.ts";
import { findNewestState, findStateBelow, getStateRow, loadState } from "../../../bodies/history/read-state.ts";
import { readBody } from "../../../bodies/load-body.ts";
import type { DocumentKey } from "../../../db/document-key.ts";
import { showStates } from "../../../domain/content/history/schema.ts";
import { zoneOf } from "../look.ts";
import { memberPictures } from "../rendering/member-pictures.ts";
import { renderBlocks } from "../rendering/render-blocks.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { documentHead } from "./document-head.ts";
import { entryOf, readHistory } from "./read-history.ts";
import { differencesOf } from "./versions.ts";

const keyOf = (visit: MemberVisit, documentId: string): DocumentKey => ({
  workspaceId: visit.viewer.workspace.id,
  documentId,
});

async function showHistory(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const below = Number(visit.query.get("before"));
  const list = await readHistory(visit, head.id, Number.isSafeInteger(below) && below > 0 ? below : undefined);
  return show(historyPage({ head, ...list, formToken: visit.formToken, now: Date.now() }));
}

/** The version that the address names, and the current one. */
async function findEntry(visit: MemberVisit, documentId: string) {
  const db = visit.app.database.read;
  const row = await getStateRow(db, keyOf(visit, documentId), idFrom(visit.params.state, "history_state"));
  const [shown] = await showStates(db, [row]);
  const newest = await findNewestState(db, keyOf(visit, documentId));
  return { row, entry: entryOf(defined(shown)), current: newest?.id };
}

async function showEntry(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const db = visit.app.database.read;
  const key = keyOf(visit, head.id);
  const { row, entry, current } = await findEntry(visit, head.id);
  const own = await loadState(db, key, row.id);
  const compared = visit.query.get("with") === "current" ? "current" : "before";
  const below = compared === "before" ? await findStateBelow(db, key, row.place) : undefined;
  const empty = new StoredBody({ version: "", revision: 0, live_revisions: 0, document_type: own.documentType }, []);
  const [from, to] =
    compared === "current" ? [own, await readBody(db, key)] : [below ? await loadState(db, key, below.id) : empty, own];
  const pictures = await memberPictures(visit, head.id, [...from.blocks, ...to.blocks]);
  const { css, ...differences } = await differencesOf(from, to, pictures);
  const undo = visit.query.get("undo");
  const { formToken } = visit;
  const shown = {
    zone: zoneOf(visit),
    head,
    entry,
    current,
    compared,
    differences,
    formToken,
    now: Date.now(),
  } as const;
  return show({
    ...historyEntryPage({ ...shown, undo: undo === null ? undefined : idFrom(undo, "history_state") }),
    css,
  });
}

async function showText(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const { entry } = await findEntry(visit, head.id);
  const { body } = await loadState(visit.app.database.read, keyOf(visit, head.id), entry.id);
  const { html, css } = await renderBlocks(body);
  const pictures = await memberPictures(visit, head.id, body.content);
  return show({
    ...historyTextPage({
      head,
      entry,
      body: pictures(html),
      zone: zoneOf(visit),
      formToken: visit.formToken,
      now: Date.now(),
    }),
    css,
  });
}

/** Restores at once; the page that follows has a button that undoes it. */
async function restore(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const stateId = idFrom(visit.params.state, "history_state");
  const { data } = await visit.api.post("/documents/{id}/history/{stateId}/restore", { path: { id, stateId } });
  const newest = await findNewestState(visit.app.database.read, keyOf(visit, id));
  return goTo(`/documents/${id}/history/${newest?.id ?? stateId}?undo=${data.undo_state_id ?? stateId}`);
}

async function rename(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const stateId = idFrom(visit.params.state, "history_state");
  const name = visit.form.get("name")?.trim() ?? "";
  await visit.api.patch("/documents/{id}/history/{stateId}", {
    path: { id, stateId },
    ifMatch: "*",
    body: { name: name === "" ? null : name },
  });
  return goTo(`/documents/${id}/versions`);
}

export const historyPages = [
  get("/documents/:id/versions", showHistory),
  get("/documents/:id/history", showHistory),
  get("/documents/:id/history/:state", showEntry),
  get("/documents/:id/history/:state/text", showText),
  post("/documents/:id/history/:state/restore", restore),
  post("/documents/:id/history/:state/name", rename),
];
