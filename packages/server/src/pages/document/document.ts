import { outline } from "@svc/document/read/outline";
import { withPageTitles } from "@svc/document/read/page-titles";
import { documentPage } from "@svc/web/pages/document/document";
import { readBody } from "../../bodies/body.ts";
import { readNamedPages } from "../../resources/links-by-name/read-pages.ts";
import { readPropertyTexts } from "../../resources/properties/read-texts.ts";
import { readLinkedTitles } from "../../resources/relations/linked-titles.ts";
import { readDiscussion } from "../discussion/comments.ts";
import { backgroundRule, forMembersWith, renderBlocks, shownBody } from "../rendering/render-blocks.ts";
import { get, isByScript, type MemberVisit, type Outcome, show } from "../visit.ts";
import { readConcepts, readRelated, readSummary } from "./about.ts";
import { readBacklinks } from "./backlinks.ts";
import { documentHead } from "./document-head.ts";
import { readFiles } from "./files.ts";
import { readShare } from "./share.ts";
import { readVariants } from "./translations.ts";

/** The reader does not wait for it, and reads on should it fail. */
function noteView({ api, app, requestId }: MemberVisit, id: string): void {
  api
    .put("/me/recent/{id}", { path: { id } })
    .catch((error) => app.log.warn({ err: error, request_id: requestId }, "a view could not be noted"));
}

/** Without what the page shows in its own way: the sign before its title, and its width. */
async function listedProperties(visit: MemberVisit, head: Awaited<ReturnType<typeof documentHead>>) {
  const shown = [...(head.icon === "" ? [] : ["icon"]), ...(head.isWide ? ["full_width"] : [])];
  const all = await readPropertyTexts(visit.app.database.read, visit.viewer.workspace.id, head.id);
  return all.filter(([name]) => !shown.includes(name));
}

async function showDocument(visit: MemberVisit): Promise<Outcome> {
  const found = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: found.id };
  const head = (await visit.app.live.bringInNew(key)) ? await documentHead(visit) : found;
  const body = await readBody(visit.app.database.read, key);
  if (!isByScript(visit)) noteView(visit, head.id);
  const wanted = visit.query.get("block");
  const position = wanted ? body.positionOf(wanted) : undefined;
  const pages = await readNamedPages(visit.app.database.read, key.workspaceId, head.id);
  const titles = await readLinkedTitles(visit.app.database.read, key.workspaceId, head.id);
  const { html: content, css } = await renderBlocks(withPageTitles(shownBody(body), titles), {
    place: forMembersWith(pages),
    target: position === undefined ? undefined : { position, id: wanted! },
  });
  const page = documentPage({
    head,
    outline: outline(body.body),
    content,
    version: body.version,
    variants: await readVariants(visit, head.id),
    backlinks: await readBacklinks(visit, head.id),
    related: await readRelated(visit, head.id),
    summary: await readSummary(visit, head.id, head.characters),
    concepts: await readConcepts(visit, head.id),
    discussion: await readDiscussion(visit, { id: head.id, knowledgeBaseId: head.knowledgeBase.id }, body),
    files: await readFiles(visit, head.id, body),
    properties: await listedProperties(visit, head),
    // A folder's site does not show translations.
    share: await readShare(
      visit,
      { knowledgeBaseId: head.knowledgeBase.id, folders: head.isTranslation ? [] : head.folders },
      head.id,
    ),
    retentionDays: visit.app.config.trashRetentionDays,
    formToken: visit.formToken,
    now: Date.now(),
  });
  return show({ ...page, css: css + backgroundRule(head.background) });
}

export const documentPages = [get("/documents/:id", showDocument)];
