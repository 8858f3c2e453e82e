import type { Html } from "@svc/web/html";
import { restorePointPage, restorePoints } from "@svc/web/pages/document/restore-points";
import { getBodyState } from "../../bodies/store.ts";
import { apiError } from "../../errors.ts";
import { keepThisVersion, listRestorePoints, readRestorePoint } from "../../resources/live/restore-points.ts";
import { renderBlocks } from "../rendering/render-blocks.ts";
import {
  audit,
  canWriteIn,
  get,
  goTo,
  idFrom,
  type MemberVisit,
  type Outcome,
  post,
  show,
  versionFrom,
} from "../visit.ts";
import { documentHead } from "./document-head.ts";

type Head = Awaited<ReturnType<typeof documentHead>>;

const keyOf = (visit: MemberVisit, documentId: string) => ({ workspaceId: visit.viewer.workspace.id, documentId });

/** The part of the versions page about editing in the browser. */
export async function showRestorePoints(visit: MemberVisit, head: Head): Promise<Html> {
  const rows = await listRestorePoints(visit.app.database.read, keyOf(visit, head.id));
  const points = rows.map(({ id, created_at: createdAt, reason, user_name: person }) => ({
    id,
    createdAt,
    reason,
    person,
  }));
  return restorePoints({ head, points, formToken: visit.formToken, now: Date.now() });
}

async function showPoint(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = keyOf(visit, head.id);
  const db = visit.app.database.read;
  const id = idFrom(visit.params.point, "restore_point");
  const { createdAt, blocks } = await readRestorePoint(db, key, id);
  const { version } = await getBodyState(db, key);
  const { html: body, css } = await renderBlocks({ type: "doc", content: blocks });
  const { formToken } = visit;
  return show({ ...restorePointPage({ head, id, createdAt, body, version, formToken, now: Date.now() }), css });
}

async function keep(visit: MemberVisit): Promise<Outcome> {
  const { id, knowledgeBase } = await documentHead(visit);
  if (!canWriteIn(visit, knowledgeBase.id)) throw apiError("insufficient_role", { role: visit.viewer.workspace.role });
  await keepThisVersion(visit.app, keyOf(visit, id), visit.viewer.userId);
  await visit.app.database.transaction((tx) => audit(tx, visit, "keep_version", id));
  return goTo(`/documents/${id}/versions`, "kept");
}

/** An ordinary write: what it replaces becomes a version, and open editors follow. */
async function restore(visit: MemberVisit): Promise<Outcome> {
  const { id } = await documentHead(visit);
  const { blocks } = await readRestorePoint(
    visit.app.database.read,
    keyOf(visit, id),
    idFrom(visit.params.point, "restore_point"),
  );
  await visit.api.put("/documents/{id}/content", {
    path: { id },
    ifMatch: versionFrom(visit.form),
    body: { format: "tiptap-json", document: { type: "doc", content: blocks } },
  });
  return goTo(`/documents/${id}`, "restored");
}

export const restorePointPages = [
  post("/documents/:id/kept", keep),
  get("/documents/:id/kept/:point", showPoint),
  post("/documents/:id/kept/:point/restore", restore),
];
