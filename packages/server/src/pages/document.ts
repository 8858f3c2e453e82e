import { outline } from "@svc/document/read/outline";
import { documentPage } from "@svc/web/pages/document";
import { readBody } from "../bodies/body.ts";
import { getDocument } from "../resources/documents/queries.ts";
import { readPath } from "../resources/documents/read-path.ts";
import { readBacklinks } from "./backlinks.ts";
import { renderBlocks } from "./render-blocks.ts";
import { readShare } from "./share.ts";
import { get, type MemberVisit, type Outcome, show } from "./visit.ts";

/** What every page about one document shows above its own part. */
export async function documentHead(visit: MemberVisit) {
  const db = visit.app.database.read;
  const row = await getDocument(db, visit.viewer.workspace.id, visit.params.id ?? "");
  const path = await readPath(db, row);
  return {
    id: row.id,
    title: row.title,
    type: row.document_type,
    locale: row.locale,
    updatedAt: row.updated_at,
    characters: row.character_count,
    knowledgeBase: path.knowledge_base,
    folders: path.folders,
    canWrite: visit.viewer.workspace.role !== "viewer",
  };
}

async function showDocument(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const body = await readBody(visit.app.database.read, key);
  const wanted = visit.query.get("block");
  const position = wanted ? body.positionOf(wanted) : undefined;
  return show(
    documentPage({
      head,
      outline: outline(body.body),
      content: renderBlocks(body.body, { target: position === undefined ? undefined : { position, id: wanted! } }),
      backlinks: await readBacklinks(visit, head.id),
      share: await readShare(visit, head.id),
      formToken: visit.formToken,
      now: Date.now(),
    }),
  );
}

export const documentPages = [get("/documents/:id", showDocument)];
