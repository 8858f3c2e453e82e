import { outline } from "@svc/document/read/outline";
import { withPageTitles } from "@svc/document/read/page-titles";
import { editPage } from "@svc/web/pages/document/edit";
import { gridPage } from "@svc/web/pages/document/grid";
import { readBody } from "../../bodies/body.ts";
import { readLinkedTitles } from "../../resources/relations/linked-titles.ts";
import { readDiscussion } from "../discussion/comments.ts";
import { backgroundRule, renderBlocks, shownBody } from "../rendering/render-blocks.ts";
import { get, type MemberVisit, type Outcome, show } from "../visit.ts";
import { documentHead } from "./document-head.ts";

/** The editor; a person who may not write sees the edits of others. */
async function showEditor(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const body = await readBody(visit.app.database.read, key);
  const titles = await readLinkedTitles(visit.app.database.read, key.workspaceId, head.id);
  const { html: content, css } = await renderBlocks(withPageTitles(shownBody(body), titles));
  const page = head.type === "spreadsheet" ? gridPage : editPage;
  const discussion = await readDiscussion(visit, { id: head.id, knowledgeBaseId: head.knowledgeBase.id }, body);
  const { userId } = visit.viewer;
  const shown = page({ head, userId, content, outline: outline(body.body), discussion, now: Date.now() });
  return show({ ...shown, css: css + backgroundRule(head.background) });
}

export const editPages = [get("/documents/:id/edit", showEditor)];
