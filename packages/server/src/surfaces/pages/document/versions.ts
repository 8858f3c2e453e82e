import { plainText } from "@svc/document/read/text";
import type { Node } from "@svc/document/types";
import { ApiError } from "@svc/sdk";
import { type Difference, differencePage, versionTextPage } from "@svc/web/server/pages/document/versions";
import type { Html } from "@svc/web/shared/html";
import type { StoredBody } from "../../../bodies/body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { loadVersion } from "../../../domain/content/versions/load-version.ts";
import { compareBodies } from "../../../domain/content/versions/run-comparison.ts";
import { StyleRules } from "../rendering/lift-styles.ts";
import { memberPictures } from "../rendering/member-pictures.ts";
import { blockRenderer, renderBlocks } from "../rendering/render-blocks.ts";
import { get, goTo, idFrom, type MemberVisit, numberFrom, type Outcome, post, show, versionFrom } from "../visit.ts";
import { documentHead } from "./document-head.ts";

/** How many changes are shown one by one; the rest is only counted. */
const MAX_CHANGES = 300;

/** The unchanged blocks around a change, as context. */
function besides(blocks: readonly Node[], position: number, isChanged: (position: number) => boolean) {
  const at = (index: number) => (isChanged(index) ? undefined : blocks[index]);
  return { above: at(position - 1), below: at(position + 1) };
}

/** The differences between two states, block by block, with both sides of each. */
export async function differencesOf(
  from: StoredBody,
  to: StoredBody,
  pictures: (html: string) => Html,
): Promise<{ shown: Difference[]; more: number; css: string }> {
  const changes = await compareBodies(from, to);
  const rules = new StyleRules();
  const renderOld = blockRenderer(from.body, rules);
  const renderNew = blockRenderer(to.body, rules);
  const changedNow = new Set(changes.map(({ new_position }) => new_position));
  const changedThen = new Set(changes.map(({ old_position }) => old_position));
  const shown = changes.slice(0, MAX_CHANGES).map(({ change_type, old_position, new_position }) => {
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
      before: before && { text: plainText(before), content: pictures(renderOld(before)) },
      after: after && { text: plainText(after), content: pictures(renderNew(after)) },
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
  const { css, ...differences } = await differencesOf(
    from,
    to,
    await memberPictures(visit, head.id, [...from.blocks, ...to.blocks]),
  );
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
  const pictures = await memberPictures(visit, head.id, body.content);
  const page = versionTextPage({
    head,
    seq,
    body: pictures(html),
    version,
    formToken: visit.formToken,
    now: Date.now(),
  });
  return show({ ...page, css });
}

/** Compares two versions chosen in the list; the later one may be the current text. */
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
  "Somebody changed this page after you opened this version. Nothing was restored. Below are the differences from the current text: check them, and restore the version if you still want to.";

/**
 * Restores the version that was shown. If the text has changed since, shows the differences again with the same button.
 */
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
  get("/documents/:id/versions/compare", compareChosen),
  get("/documents/:id/versions/:seq", (visit) => showDifference(visit)),
  get("/documents/:id/versions/:seq/text", showText),
  post("/documents/:id/versions/:seq/restore", restore),
];
