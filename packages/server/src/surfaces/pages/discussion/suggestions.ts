import { outline } from "@svc/document/read/outline";
import { idOf } from "@svc/document/schema/node";
import { ApiError } from "@svc/sdk";
import { type Piece, suggestionsPage, suggestPage } from "@svc/web/server/pages/discussion/suggestions";
import { suggestEditorPage } from "@svc/web/server/pages/document/edit";
import type { StoredBody } from "../../../bodies/body.ts";
import { readBody } from "../../../bodies/load-body.ts";
import { readMarkdown } from "../../../domain/content/content/body-source.ts";
import { readLinkedTitles } from "../../../domain/knowledge/relations/linked-titles.ts";
import { apiError } from "../../../errors.ts";
import { documentHead } from "../document/document-head.ts";
import { titlesOfLinks } from "../document/titles-of-links.ts";
import { StyleRules } from "../rendering/lift-styles.ts";
import { memberPictures } from "../rendering/member-pictures.ts";
import { backgroundRule, blockRenderer, renderBlocks } from "../rendering/render-blocks.ts";
import { get, goTo, idFrom, type MemberVisit, type Outcome, post, show, versionFrom } from "../visit.ts";
import { readDiscussion } from "./comments.ts";
import { type Loaded, loadOpen, placeOf, type Render, TOP } from "./load-suggestions.ts";
import { acceptedNotice, FROM_PAGE, rejectedNotice, undoDecision } from "./undo-decision.ts";
import { reviewFrom } from "./waiting-suggestions.ts";

/**
 * The blocks of the page with every change at its position: instead of its block, or after the block that it follows.
 */
function piecesOf(body: StoredBody, loaded: readonly Loaded[], render: Render): Piece[] {
  const at = new Map<string, Piece[]>();
  const replaced = new Set<string>();
  for (const { shown, places } of loaded)
    for (const { change, stored } of places) {
      const { at: place, stays } = placeOf(stored, body);
      if (stays && !change.isConflict) replaced.add(stored.block_id);
      at.set(place, [...(at.get(place) ?? []), { suggestion: shown, change }]);
    }
  const blocks = body.blocks.flatMap((block): Piece[] => {
    const id = idOf(block);
    const own: Piece[] = replaced.has(id) ? [] : [{ block: render(block), id }];
    return [...own, ...(at.get(id) ?? [])];
  });
  return [...(at.get(TOP) ?? []), ...blocks];
}

async function showSuggestions(visit: MemberVisit, complaint?: string): Promise<Outcome> {
  const head = await documentHead(visit);
  const body = await readBody(visit.app.database.read, {
    workspaceId: visit.viewer.workspace.id,
    documentId: head.id,
  });
  const rules = new StyleRules();
  const pictures = await memberPictures(visit, head.id, body.blocks);
  const renderPlain = blockRenderer(body.body, rules);
  const render: Render = (block) => pictures(renderPlain(block));
  const loaded = await loadOpen(visit, head.id, render);
  const page = suggestionsPage({
    head,
    formToken: visit.formToken,
    suggestions: loaded.map(({ shown }) => shown),
    pieces: piecesOf(body, loaded, render),
    canDecide: head.canWrite,
    now: Date.now(),
    wrong: complaint,
  });
  return show({ ...page, css: rules.css }, complaint ? 409 : 200);
}

/** Decides the suggestion as it was shown; if somebody else has decided it meanwhile, shows it again. */
async function decide(visit: MemberVisit): Promise<Outcome> {
  const { form, params, api } = visit;
  const id = idFrom(params.suggestion, "suggestion");
  const answer = form.get("answer") ?? "";
  const chosen = form.getAll("change");
  const isAll = answer.endsWith("-all");
  if (!isAll && chosen.length === 0) return showSuggestions(visit, "Choose at least one change.");
  const which = isAll ? {} : { change_ids: chosen };
  const worded = answer === "accept-worded" && { edits: wordingsOf(form, chosen) };
  const reason = form.get("reason")?.trim();
  const options = { path: { id }, ifMatch: versionFrom(form) };
  const decision = { documentId: idFrom(params.id, "document"), suggestionId: id };
  try {
    if (answer.startsWith("accept")) {
      await api.post("/suggestions/{id}/accept", { ...options, body: { ...which, ...worded } });
      return goTo(backFrom(visit), await acceptedNotice(visit, decision));
    }
    const body = { ...which, ...(reason && { reason }) };
    const { data } = await api.post("/suggestions/{id}/reject", { ...options, body });
    return goTo(backFrom(visit), rejectedNotice(decision, data.version));
  } catch (error) {
    if (error instanceof ApiError && [409, 422].includes(error.status)) return showSuggestions(visit, error.message);
    throw error;
  }
}

/** The person's own wording for the one change of the form. */
const wordingsOf = (form: URLSearchParams, [change_id]: readonly string[]) =>
  change_id === undefined ? [] : [{ change_id, markdown: (form.get("wording") ?? "").replaceAll("\r\n", "\n") }];

/** The list that the form was in. */
const backFrom = ({ form, params }: MemberVisit): string => {
  const page = `/documents/${idFrom(params.id, "document")}`;
  const from = form.get("from");
  if (from === FROM_PAGE) return `${page}?panel=comments`;
  return from === null ? `${page}/suggestions` : reviewFrom(from);
};

async function withdraw(visit: MemberVisit): Promise<Outcome> {
  await visit.api.post("/suggestions/{id}/withdraw", { path: { id: idFrom(visit.params.suggestion, "suggestion") } });
  return goTo(backFrom(visit), "suggestion-withdrawn");
}

interface Typed {
  readonly text: string;
  readonly version: string;
  readonly note: string;
  readonly wrong: string;
}

/** Shows the editor in suggesting mode; until its script runs, the saved text. */
async function showSuggestEditor(visit: MemberVisit): Promise<Outcome> {
  const head = await documentHead(visit);
  if (!head.maySuggest) throw apiError("insufficient_role", { role: visit.viewer.workspace.role });
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const stored = await readBody(visit.app.database.read, key);
  const [{ html, css }, pictures, discussion, titles] = await Promise.all([
    renderBlocks(stored.body),
    memberPictures(visit, head.id, stored.blocks),
    readDiscussion(visit, { id: head.id, knowledgeBaseId: head.knowledgeBase.id }, stored),
    readLinkedTitles(visit.app.database.read, key.workspaceId, head.id),
  ]);
  const content = pictures(html);
  const { userId } = visit.viewer;
  const page = suggestEditorPage({
    head,
    userId,
    content,
    outline: outline(stored.body),
    discussion,
    linkTitles: titlesOfLinks(content, titles),
    remotePictures: visit.app.config.remotePictures,
    now: Date.now(),
  });
  return show({ ...page, css: css + backgroundRule(head.background) });
}

async function showSuggest(visit: MemberVisit, typed?: Typed): Promise<Outcome> {
  const head = await documentHead(visit);
  const key = { workspaceId: visit.viewer.workspace.id, documentId: head.id };
  const { text, version } = await readMarkdown(visit.app.database.read, key);
  const shown = typed ?? { text, version, note: "", wrong: undefined };
  return show(suggestPage({ head, formToken: visit.formToken, now: Date.now(), ...shown }), typed ? 422 : 200);
}

async function suggest(visit: MemberVisit): Promise<Outcome> {
  const id = idFrom(visit.params.id, "document");
  const text = (visit.form.get("text") ?? "").replaceAll("\r\n", "\n");
  const version = versionFrom(visit.form);
  const note = visit.form.get("note")?.trim() ?? "";
  const content = { format: "markdown" as const, content: text };
  try {
    const body = { base_version: version, content, ...(note && { note }) };
    await visit.api.post("/documents/{id}/suggestions", { path: { id }, body });
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) throw error;
    return showSuggest(visit, { text, version, note, wrong: error.message });
  }
  return goTo(`/documents/${id}/suggestions`, "suggested");
}

export const suggestionPages = [
  get("/documents/:id/suggestions", (visit) => showSuggestions(visit)),
  post("/documents/:id/suggestions/:suggestion", decide),
  post("/documents/:id/suggestions/:suggestion/withdraw", withdraw),
  post("/documents/:id/suggestions/:suggestion/undo", undoDecision),
  get("/documents/:id/suggest", (visit) =>
    visit.query.get("as") === "markdown" ? showSuggest(visit) : showSuggestEditor(visit),
  ),
  { ...post("/documents/:id/suggest", suggest), maxBytes: 16 * 1024 * 1024 },
];
