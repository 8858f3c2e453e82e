/** Reads the open suggestions of a page and finds the place of each change in its text. */
import { plainText } from "@svc/document/read/text";
import { idOf } from "@svc/document/schema/node";
import type { Node } from "@svc/document/types";
import type { SuggestionCards } from "@svc/web/server/pages/discussion/suggestion-cards";
import type { ShownChange, ShownSuggestion } from "@svc/web/server/pages/discussion/suggestions";
import { type Html, trusted } from "@svc/web/shared/html";
import type { StoredBody } from "../../../bodies/body.ts";
import { readChanges, type StoredChange } from "../../../domain/content/proposals/stored-change.ts";
import { getSuggestion } from "../../../domain/discussion/suggestions/queries.ts";
import { listPage } from "../../../domain/discussion/suggestions/read-suggestions.ts";
import { StyleRules } from "../rendering/lift-styles.ts";
import { type MarkedChange, markSuggestions } from "../rendering/mark-suggestions.ts";
import { blockRenderer } from "../rendering/render-blocks.ts";
import type { MemberVisit } from "../visit.ts";

const MAX_SHOWN = 50;

export type Render = (block: Node) => Html;

/** An open suggestion with its undecided changes and their positions. */
export interface Loaded {
  readonly shown: ShownSuggestion;
  readonly places: readonly { readonly change: ShownChange; readonly stored: StoredChange }[];
}

export async function loadOpen(visit: MemberVisit, id: string, render: Render): Promise<Loaded[]> {
  const { app, viewer } = visit;
  const filter = { documentId: id, status: "open" as const };
  const { data } = (await listPage(app, app.database.read, viewer.workspace.id, filter, { limit: MAX_SHOWN })).envelope;
  const side = (node: Node | null) => node && { text: plainText(node), content: render(node) };
  return Promise.all(
    data.map(async (suggestion) => {
      const row = await getSuggestion(visit.app.database.read, visit.viewer.workspace.id, suggestion.id);
      const stored = new Map(readChanges(row.changes).map((change) => [change.id, change]));
      const places = suggestion.changes.flatMap(({ id, change_type: type, state, after: proposed }) => {
        const change = stored.get(id);
        if (!change || (state !== "open" && state !== "conflict")) return [];
        const [before, after] = [side(change.before) ?? undefined, side(change.after) ?? undefined];
        const isConflict = state === "conflict";
        return { change: { id, type, before, after, isConflict, markdown: proposed?.markdown }, stored: change };
      });
      const shown = {
        id: suggestion.id,
        version: suggestion.version,
        authorName: suggestion.author.name,
        isAgent: suggestion.author.agent,
        isMine: suggestion.author.user_id === visit.viewer.userId,
        note: suggestion.note,
        createdAt: suggestion.created_at,
        isStale: suggestion.status === "stale",
        changes: places.map(({ change }) => change),
      };
      return { shown, places };
    }),
  );
}

/** The place of changes before the first block. */
export const TOP = "";

/** Returns the block that a change replaces, or that it follows; `stays` if it replaces it. */
export function placeOf(stored: StoredChange, body: StoredBody): { readonly at: string; readonly stays: boolean } {
  const isThere = (id: string) => body.positionOf(id) !== undefined;
  const stays = stored.follows === null && isThere(stored.block_id);
  if (stays) return { at: stored.block_id, stays };
  const last = body.blocks.at(-1);
  const end = last ? idOf(last) : TOP;
  return { at: stored.follows?.find(isThere) ?? (stored.follows?.length === 0 ? TOP : end), stays };
}

/** The text of a page with the suggested changes marked, and the changes as cards for its margin. */
export async function withSuggestions(
  visit: MemberVisit,
  head: { readonly id: string; readonly canWrite: boolean; readonly openSuggestions: number },
  body: StoredBody,
  content: Html,
  pictures: (page: Html) => Html,
): Promise<{ readonly content: Html; readonly css: string; readonly suggestions: SuggestionCards | undefined }> {
  if (head.openSuggestions === 0) return { content, css: "", suggestions: undefined };
  const rules = new StyleRules();
  const renderPlain = blockRenderer(body.body, rules);
  const render: Render = (block) => pictures(trusted(renderPlain(block)));
  const placed = (await loadOpen(visit, head.id, render)).flatMap(({ shown, places }) =>
    places.map(({ change, stored }) => ({ suggestion: shown, change, blockId: placeOf(stored, body).at })),
  );
  const marks = placed
    .filter(({ change }) => !change.isConflict)
    .map(
      ({ change, blockId }): MarkedChange => ({
        type: change.type,
        at: blockId,
        before: change.before?.text ?? "",
        after: change.after?.text ?? "",
      }),
    );
  const order = body.blocks.map(idOf);
  const cards = placed.toSorted((a, b) => order.indexOf(a.blockId) - order.indexOf(b.blockId));
  const suggestions = { cards, canDecide: head.canWrite };
  return { content: markSuggestions(content, order, marks), css: rules.css, suggestions };
}
