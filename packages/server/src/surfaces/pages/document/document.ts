import { outline } from "@svc/document/read/outline";
import { documentPage } from "@svc/web/server/pages/document/document";
import type { PanelName } from "@svc/web/server/pages/document/panels";
import type { StoredBody } from "../../../bodies/body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { readLinkedTitles } from "../../../domain/knowledge/relations/linked-titles.ts";
import { readNamedPages } from "../../../domain/library/links-by-name/read-pages.ts";
import { readPropertyTexts } from "../../../domain/library/properties/read-texts.ts";
import { readDiscussion } from "../discussion/comments.ts";
import { withSuggestions } from "../discussion/load-suggestions.ts";
import { memberPictures } from "../rendering/member-pictures.ts";
import { backgroundRule } from "../rendering/render-blocks.ts";
import { renderStored } from "../rendering/render-page.ts";
import { get, isByScript, type MemberVisit, type Outcome, show } from "../visit.ts";
import { readConcepts, readRelated, readSummary } from "./about.ts";
import { readBacklinks } from "./backlinks.ts";
import { documentHead } from "./document-head.ts";
import { readFiles } from "./files.ts";
import { showGrid } from "./grid.ts";
import { readShare } from "./share.ts";
import { readSubpages } from "./subpages.ts";
import { titlesOfLinks } from "./titles-of-links.ts";
import { readVariants } from "./translations.ts";

type Head = Awaited<ReturnType<typeof documentHead>>;

/** Records a view. The reader does not wait for it, and a failure does not matter. */
function noteView({ api, app, requestId }: MemberVisit, id: string): void {
  api
    .put("/me/recent/{id}", { path: { id } })
    .catch((error) => app.log.warn({ err: error, request_id: requestId }, "a view could not be noted"));
}

/** The properties, without the icon and the width, which the page displays itself. */
async function listedProperties(visit: MemberVisit, head: Head) {
  const shown = [...(head.icon === "" ? [] : ["icon"]), ...(head.isWide ? ["full_width"] : []), "hide_subpages"];
  const all = await readPropertyTexts(visit.app.database.read, visit.viewer.workspace.id, head.id);
  return all.filter(([name]) => !shown.includes(name));
}

/** The panel that the address asks for: resolved comments and more files are addresses of their own. */
function panelOf({ query }: MemberVisit): PanelName | undefined {
  const wanted = query.get("panel");
  if (wanted === "contents" || wanted === "comments" || wanted === "info" || wanted === "history") return wanted;
  if (query.get("comments") !== null) return "comments";
  return query.get("files") !== null ? "info" : undefined;
}

/** Everything around the text, read at once. */
async function readPanels(visit: MemberVisit, head: Head, body: StoredBody) {
  const knowledgeBaseId = head.knowledgeBase.id;
  // A folder's site does not show translations.
  const folders = head.isTranslation ? [] : head.folders;
  const [variants, backlinks, related, summary, concepts, discussion, files, properties, share, subpages] =
    await Promise.all([
      readVariants(visit, head.id),
      readBacklinks(visit, head.id),
      readRelated(visit, head.id),
      readSummary(visit, head.id, head.characters),
      readConcepts(visit, head.id),
      readDiscussion(visit, { id: head.id, knowledgeBaseId }, body),
      readFiles(visit, head.id, body),
      listedProperties(visit, head),
      readShare(visit, { knowledgeBaseId, folders }, head.id),
      readSubpages(visit, head),
    ]);
  return { variants, backlinks, related, summary, concepts, discussion, files, properties, share, subpages };
}

async function showDocument(visit: MemberVisit): Promise<Outcome> {
  const isEditing = visit.path.endsWith("/edit");
  const found = await documentHead(visit);
  if (isEditing && found.type === "spreadsheet") return showGrid(visit, found);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: found.id };
  const head = (await visit.app.live.bringInNew(key)) ? await documentHead(visit) : found;
  const body = await readBody(visit.app.database.read, key);
  if (!isByScript(visit) && !isEditing) noteView(visit, head.id);
  const wanted = visit.query.get("block");
  const position = wanted ? body.positionOf(wanted) : undefined;
  const [pages, titles, pictures, panels] = await Promise.all([
    readNamedPages(visit.app.database.read, key.workspaceId, head.id),
    readLinkedTitles(visit.app.database.read, key.workspaceId, head.id),
    memberPictures(visit, head.id, body.blocks),
    readPanels(visit, head, body),
  ]);
  const { html, css } = await renderStored(body, {
    titles,
    pages,
    target: position === undefined ? undefined : { position, id: wanted! },
  });
  const { content, suggestions, ...marked } = await withSuggestions(visit, head, body, pictures(html), pictures);
  const input = {
    head,
    userId: visit.viewer.userId,
    linkTitles: titlesOfLinks(content, titles),
    remotePictures: visit.app.config.remotePictures,
    isViewing: visit.query.get("mode") === "view",
    panel: panelOf(visit),
    outline: outline(body.body),
    content,
    version: body.version,
    ...panels,
    discussion: { ...panels.discussion, suggestions },
    retentionDays: visit.app.config.trashRetentionDays,
    formToken: visit.formToken,
    now: Date.now(),
  };
  const page = documentPage(input, isEditing ? "now" : "click");
  return show({ ...page, css: css + marked.css + backgroundRule(head.background) });
}

export const documentPages = [get("/documents/:id", showDocument), get("/documents/:id/edit", showDocument)];
