import { gridPage } from "@svc/web/server/pages/document/grid";
import { readBody } from "../../../bodies/load-body.ts";
import { readLinkedTitles } from "../../../domain/knowledge/relations/linked-titles.ts";
import { memberPictures } from "../rendering/member-pictures.ts";
import { backgroundRule } from "../rendering/render-blocks.ts";
import { renderStored } from "../rendering/render-page.ts";
import { type MemberVisit, type Outcome, show } from "../visit.ts";
import type { documentHead } from "./document-head.ts";

/** A spreadsheet to edit; a person who may not write follows the edits of others. */
export async function showGrid(visit: MemberVisit, head: Awaited<ReturnType<typeof documentHead>>): Promise<Outcome> {
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const body = await readBody(visit.app.database.read, key);
  const titles = await readLinkedTitles(visit.app.database.read, key.workspaceId, head.id);
  const { html, css } = await renderStored(body, { titles, pages: new Map() });
  const content = (await memberPictures(visit, head.id, body.blocks))(html);
  const page = gridPage({ head, userId: visit.viewer.userId, content, now: Date.now() });
  return show({ ...page, css: css + backgroundRule(head.background) });
}
