import { compareBlocks } from "@svc/document/compare";
import { plainText } from "@svc/document/read/text";
import { trusted } from "@svc/web/html";
import { type Difference, differencePage, versionsPage, versionTextPage } from "@svc/web/pages/document/versions";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import { loadVersion } from "../../resources/versions/load-version.ts";
import { listSnapshots } from "../../resources/versions/queries.ts";
import { get, goTo, idFrom, type MemberVisit, numberFrom, type Outcome, post, show } from "../visit.ts";
import { documentHead } from "./document-head.ts";
import { blockRenderer, renderBlocks } from "./render-blocks.ts";
import { showRestorePoints } from "./restore-points.ts";

const MOST = 100;
/** So many changes are shown one by one; of the rest only the number. */
const MOST_CHANGES = 300;

async function showVersions(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const { database, config } = visit.app;
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const rows = await listSnapshots(database.read, key, config.versionRetention, Number.MAX_SAFE_INTEGER, MOST);
  return show(
    versionsPage({
      head,
      versions: rows.map((row) => ({
        seq: row.seq,
        createdAt: row.created_at,
        creator: row.creator_name,
        bytes: row.byte_size,
        reason: row.reason,
      })),
      kept: await showRestorePoints(visit, head),
      now: Date.now(),
    }),
  );
}

/** What turned one state into the other, block by block, with both sides of each. */
function differencesOf(from: StoredBody, to: StoredBody): { shown: Difference[]; more: number } {
  const changes = compareBlocks(from.blocks, to.blocks);
  const renderOld = blockRenderer(from.body);
  const renderNew = blockRenderer(to.body);
  const shown = changes.slice(0, MOST_CHANGES).map(({ change_type, old_position, new_position }) => {
    const before = old_position === null ? undefined : from.blocks[old_position];
    const after = new_position === null ? undefined : to.blocks[new_position];
    return {
      kind: change_type,
      before: before && { text: plainText(before), content: trusted(renderOld(before)) },
      after: after && { text: plainText(after), content: trusted(renderNew(after)) },
    };
  });
  return { shown, more: changes.length - shown.length };
}

async function showDifference(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const db = visit.app.database.read;
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const seq = numberFrom(visit.params.seq, "version");
  const wanted = visit.query.get("to");
  const load = (seq: number) => loadVersion(db, key, seq, visit.app.config.versionRetention);
  const from = await load(seq);
  const to = wanted ? await load(numberFrom(wanted, "version")) : await readBody(db, key);
  return show(
    differencePage({
      head,
      seq,
      to: wanted ? numberFrom(wanted, "version") : undefined,
      version: to.version,
      differences: differencesOf(from, to),
      formToken: visit.formToken,
    }),
  );
}

async function showText(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const seq = numberFrom(visit.params.seq, "version");
  const { body } = await loadVersion(visit.app.database.read, key, seq, visit.app.config.versionRetention);
  return show(versionTextPage({ head, seq, body: await renderBlocks(body), now: Date.now() }));
}

async function restore(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const seq = numberFrom(visit.params.seq, "version");
  await visit.api.post("/documents/{id}/versions/{seq}/rollback", {
    path: { id, seq },
    ifMatch: visit.form.get("version") ?? "",
  });
  return goTo(`/documents/${encodeURIComponent(id)}`, "restored");
}

export const versionPages = [
  get("/documents/:id/versions", showVersions),
  get("/documents/:id/versions/:seq", showDifference),
  get("/documents/:id/versions/:seq/text", showText),
  post("/documents/:id/versions/:seq/restore", restore),
];
