import { outline } from "@svc/document/read/outline";
import { documentPage } from "@svc/web/pages/document/document";
import { readBody } from "../../bodies/body.ts";
import { readPropertyTexts } from "../../resources/properties/read-texts.ts";
import { get, type MemberVisit, type Outcome, show } from "../visit.ts";
import { readBacklinks } from "./backlinks.ts";
import { documentHead } from "./document-head.ts";
import { readFiles } from "./files.ts";
import { renderBlocks } from "./render-blocks.ts";
import { readShare } from "./share.ts";
import { readVariants } from "./translations.ts";

/** The reader does not wait for it, and reads on should it fail. */
function noteView({ api, app, requestId }: MemberVisit, id: string): void {
  api
    .put("/me/recent/{id}", { path: { id } })
    .catch((error) => app.log.warn({ err: error, request_id: requestId }, "a view could not be noted"));
}

async function showDocument(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const body = await readBody(visit.app.database.read, key);
  noteView(visit, head.id);
  const wanted = visit.query.get("block");
  const position = wanted ? body.positionOf(wanted) : undefined;
  return show(
    documentPage({
      head,
      outline: outline(body.body),
      content: await renderBlocks(body.body, {
        target: position === undefined ? undefined : { position, id: wanted! },
      }),
      variants: await readVariants(visit, head.id),
      backlinks: await readBacklinks(visit, head.id),
      files: await readFiles(visit, head.id),
      properties: await readPropertyTexts(visit.app.database.read, key.workspaceId, head.id),
      share: await readShare(visit, head.id),
      retentionDays: visit.app.config.trashRetentionDays,
      formToken: visit.formToken,
      now: Date.now(),
    }),
  );
}

export const documentPages = [get("/documents/:id", showDocument)];
