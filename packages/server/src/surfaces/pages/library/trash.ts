import { trashPage } from "@svc/web/server/pages/library/trash";
import { listMembers } from "../../../domain/identity/members/queries.ts";
import { listPage } from "../../../domain/lifecycle/trash/list-page.ts";
import { documentHead } from "../document/document-head.ts";
import { canWriteIn, get, goTo, idFrom, type MemberVisit, type Outcome, post, show } from "../visit.ts";
import { listBases } from "./browse-queries.ts";

const PAGE = 50;

async function showTrash(visit: MemberVisit): Promise<Outcome> {
  const { app, viewer } = visit;
  const { read } = app.database;
  const cursor = visit.query.get("after");
  const [answer, bases, members] = await Promise.all([
    listPage(app, read, viewer.workspace.id, { limit: PAGE, ...(cursor && { cursor }) }),
    listBases(read, viewer.workspace.id),
    listMembers(read, viewer.workspace.id),
  ]);
  const { data, page } = answer.envelope;
  const baseNames = new Map(bases.map(({ id, name }) => [id, name]));
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return show(
    trashPage({
      discarded: data.map((row) => ({
        id: row.id,
        kind: row.kind,
        name: row.name,
        documents: row.document_count,
        endedLinks: row.ended_links,
        knowledgeBase: baseNames.get(row.knowledge_base_id),
        deletedBy: names.get(row.deleted_by),
        deletedAt: row.deleted_at,
        expiresAt: row.expires_at,
        canRestore: canWriteIn(visit, row.knowledge_base_id),
      })),
      retentionDays: app.config.trashRetentionDays,
      formToken: visit.formToken,
      next: page.next_cursor === null ? undefined : `/trash?after=${encodeURIComponent(page.next_cursor)}`,
      now: Date.now(),
    }),
  );
}

async function restore(visit: MemberVisit): Promise<Outcome> {
  const { data } = await visit.api.post("/trash/{id}/restore", {
    path: { id: idFrom(visit.params.id, "trash_entry") },
  });
  const notice = data.ended_links > 0 ? "brought-back-unshared" : "brought-back";
  return goTo(data.kind === "document" ? `/documents/${data.document_ids[0]}` : "/trash", notice);
}

/** Deletes a document and returns its reader to its folder. */
async function discard(visit: MemberVisit): Promise<Outcome> {
  const { id, folders, knowledgeBase } = await documentHead(visit);
  await visit.api.delete("/documents/{id}", { path: { id } });
  const folder = folders.at(-1);
  const notice = visit.app.config.trashRetentionDays === 0 ? "deleted" : "discarded";
  return goTo(folder ? `/folders/${folder.id}` : `/knowledge-bases/${knowledgeBase.id}`, notice);
}

export const trashPages = [
  get("/trash", showTrash),
  post("/trash/:id/restore", restore),
  post("/documents/:id/delete", discard),
];
