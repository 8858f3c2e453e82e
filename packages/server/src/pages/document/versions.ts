import { compareBlocks } from "@svc/document/compare";
import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { ApiError } from "@svc/sdk";
import { trusted } from "@svc/web/html";
import { type Difference, differencePage, versionsPage, versionTextPage } from "@svc/web/pages/document/versions";
import { readBody, type StoredBody } from "../../bodies/body.ts";
import { loadVersion } from "../../resources/versions/load-version.ts";
import { listSnapshots } from "../../resources/versions/queries.ts";
import { StyleRules } from "../rendering/lift-styles.ts";
import { blockRenderer, renderBlocks } from "../rendering/render-blocks.ts";
import { get, goTo, idFrom, type MemberVisit, numberFrom, type Outcome, post, show, versionFrom } from "../visit.ts";
import { documentHead } from "./document-head.ts";
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
        suggestedBy: programOf(row.suggested_by),
        client: programOf(row.client),
      })),
      kept: await showRestorePoints(visit, head),
      now: Date.now(),
    }),
  );
}

/** Who proposed what the creator accepted, or with what the creator made the change. */
function programOf(json: string | null): { name: string; isAgent: boolean } | undefined {
  const author: { name?: string | null; agent?: boolean } | undefined = json === null ? undefined : JSON.parse(json);
  return author && { name: author.name ?? "a program", isAgent: author.agent === true };
}

/** The blocks beside a change that did not change themselves, to be read as its surroundings. */
function besides(blocks: readonly Node[], position: number, isChanged: (position: number) => boolean) {
  const at = (index: number) => (isChanged(index) ? undefined : blocks[index]);
  return { above: at(position - 1), below: at(position + 1) };
}

/** What turned one state into the other, block by block, with both sides of each. */
function differencesOf(from: StoredBody, to: StoredBody): { shown: Difference[]; more: number; css: string } {
  const changes = compareBlocks(from.blocks, to.blocks);
  const rules = new StyleRules();
  const renderOld = blockRenderer(from.body, rules);
  const renderNew = blockRenderer(to.body, rules);
  const changedNow = new Set(changes.map(({ new_position }) => new_position));
  const changedThen = new Set(changes.map(({ old_position }) => old_position));
  const shown = changes.slice(0, MOST_CHANGES).map(({ change_type, old_position, new_position }) => {
    const before = old_position === null ? undefined : from.blocks[old_position];
    const after = new_position === null ? undefined : to.blocks[new_position];
    const { above, below } =
      new_position === null
        ? besides(from.blocks, old_position ?? 0, (position) => changedThen.has(position))
        : besides(to.blocks, new_position, (position) => changedNow.has(position));
    return {
      kind: change_type,
      above: above && plainText(above),
      below: below && plainText(below),
      before: before && { text: plainText(before), content: trusted(renderOld(before)) },
      after: after && { text: plainText(after), content: trusted(renderNew(after)) },
    };
  });
  return { shown, more: changes.length - shown.length, css: rules.css };
}

async function showDifference(visit: MemberVisit, wrong?: string): Promise<Outcome> {
  const head = await documentHead(visit);
  const db = visit.app.database.read;
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const seq = numberFrom(visit.params.seq, "version");
  const wanted = visit.query.get("to");
  const load = (seq: number) => loadVersion(db, key, seq, visit.app.config.versionRetention);
  const from = await load(seq);
  const to = wanted ? await load(numberFrom(wanted, "version")) : await readBody(db, key);
  const { css, ...differences } = differencesOf(from, to);
  const page = differencePage({
    head,
    seq,
    to: wanted ? numberFrom(wanted, "version") : undefined,
    version: to.version,
    differences,
    formToken: visit.formToken,
    wrong,
  });
  return show({ ...page, css }, wrong ? 409 : 200);
}

async function showText(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const seq = numberFrom(visit.params.seq, "version");
  const db = visit.app.database.read;
  const { body } = await loadVersion(db, key, seq, visit.app.config.versionRetention);
  const { version } = await readBody(db, key);
  const { html, css } = await renderBlocks(body);
  const page = versionTextPage({ head, seq, body: html, version, formToken: visit.formToken, now: Date.now() });
  return show({ ...page, css });
}

/** Two versions that were chosen in the list; the later one may be the text of now. */
async function compareChosen(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const from = numberFrom(visit.query.get("from"), "version");
  const to = visit.query.get("to");
  const address = `/documents/${encodeURIComponent(id)}/versions`;
  if (!to) return goTo(`${address}/${from}`);
  const later = numberFrom(to, "version");
  return goTo(`${address}/${Math.min(from, later)}?to=${Math.max(from, later)}`);
}

const CHANGED_MEANWHILE =
  "Somebody changed this page after you opened this version. Nothing was restored. Below is what differs from the text as it is now: look again, and restore it if that is still what you want.";

/** Restores what was looked at. If the text has changed since, the differences are shown again, with the same button. */
async function restore(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const seq = numberFrom(visit.params.seq, "version");
  try {
    await visit.api.post("/documents/{id}/versions/{seq}/rollback", {
      path: { id, seq },
      ifMatch: versionFrom(visit.form),
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === "version_conflict") return showDifference(visit, CHANGED_MEANWHILE);
    throw error;
  }
  return goTo(`/documents/${encodeURIComponent(id)}`, "restored");
}

export const versionPages = [
  get("/documents/:id/versions", showVersions),
  get("/documents/:id/versions/compare", compareChosen),
  get("/documents/:id/versions/:seq", (visit) => showDifference(visit)),
  get("/documents/:id/versions/:seq/text", showText),
  post("/documents/:id/versions/:seq/restore", restore),
];
