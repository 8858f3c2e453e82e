import { html, type Part } from "../../../shared/html.ts";
import { form } from "../../../shared/parts.ts";
import { time } from "../../time.ts";
import {
  changed,
  type DecisionForm,
  decisionForm,
  kinds,
  type ShownChange,
  type ShownSuggestion,
} from "./suggestions.ts";

/** A change that is shown in the margin, beside the block that it replaces or follows. */
interface SuggestionCard {
  readonly suggestion: ShownSuggestion;
  readonly change: ShownChange;
  /** Empty for the top of the page. */
  readonly blockId: string;
}

export interface SuggestionCards {
  readonly cards: readonly SuggestionCard[];
  readonly canDecide: boolean;
}

interface Around extends SuggestionCards {
  readonly documentId: string;
  readonly formToken: string;
  readonly now: number;
}

/** Names the block that a card in the margin belongs to. */
export const atBlock = (blockId: string): Part => html`data-block="${blockId}"`;

/** The suggested changes as cards: each with its words, its author, and the ways to decide it. */
export const suggestionCards = (input: Around): Part =>
  input.cards.length > 0 &&
  html`<ol class="threads suggestion-cards" aria-label="Suggestions">${input.cards.map((card) => cardItem(card, input))}</ol>`;

function cardItem({ suggestion, change, blockId }: SuggestionCard, input: Around): Part {
  const { type, before, after } = change;
  const marks = change.isConflict
    ? undefined
    : html`data-change="${type}" data-before="${before?.text ?? ""}" data-after="${after?.text ?? ""}"`;
  return html`<li class="thread suggestion-card" id="${suggestion.id}-${change.id}" tabindex="-1" ${atBlock(blockId)} ${marks}>
<p class="comment-head"><bdi class="comment-author">${suggestion.authorName}</bdi>${suggestion.isAgent && html` <span class="tag">agent</span>`}<span class="comment-time">${kinds[type]} · ${time(suggestion.createdAt, input.now)}</span></p>
<div class="suggestion-words prose">${changed(change)}</div>
${suggestion.note && html`<p class="hint"><bdi>${suggestion.note}</bdi></p>`}
${change.isConflict && html`<p class="hint">The page changed since this was suggested</p>`}
${actions(suggestion, change, input)}</li>`;
}

function actions(suggestion: ShownSuggestion, change: ShownChange, input: Around): Part {
  const about: DecisionForm = { documentId: input.documentId, formToken: input.formToken, from: "page" };
  if (input.canDecide) return decisionForm(suggestion, change, about);
  return (
    suggestion.isMine &&
    form(
      `/documents/${input.documentId}/suggestions/${suggestion.id}/withdraw`,
      input.formToken,
      html`<input type="hidden" name="from" value="page"><button class="link-button">Withdraw</button>`,
    )
  );
}
