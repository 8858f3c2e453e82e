import { type Html, html, type Part } from "../../../shared/html.ts";
import { form, plural } from "../../../shared/parts.ts";
import { avatar } from "../../avatar.ts";
import { time } from "../../time.ts";
import { atBlock, type SuggestionCards, suggestionCards } from "./suggestion-cards.ts";

export interface ShownComment {
  readonly id: string;
  readonly authorName: string;
  readonly picture: string | undefined;
  readonly isAgent: boolean;
  readonly isMine: boolean;
  /** Undefined for one that was deleted. */
  readonly content: Html | undefined;
  /** As its author typed it; undefined for what they may not change. */
  readonly own: { readonly text: string; readonly version: string } | undefined;
  readonly reactions: readonly { readonly emoji: string; readonly count: number; readonly mine: boolean }[];
  readonly createdAt: number;
  readonly isEdited: boolean;
}

interface ShownThread extends ShownComment {
  readonly replies: readonly ShownComment[];
  readonly isResolved: boolean;
  /** The passage; undefined for a comment on the whole page. */
  readonly anchor:
    | {
        /** The top-level block that it stands in; undefined when it is gone. */
        readonly blockId: string | undefined;
        readonly quote: string | null;
        readonly start: number | null;
        readonly state: "ok" | "moved" | "dangling";
      }
    | undefined;
}

export interface Discussion {
  readonly documentId: string;
  readonly formToken: string;
  readonly threads: readonly ShownThread[];
  readonly showsResolved: boolean;
  /** Whether there are resolved threads to show or hide. */
  readonly hasResolved: boolean;
  readonly mayTalk: boolean;
  readonly isOwner: boolean;
  readonly now: number;
  /** The open suggestions, in the same margin. */
  readonly suggestions?: SuggestionCards | undefined;
}

/** The query that shows resolved threads too. */
const ALL = "?comments=all";

/** The comments beside a text: forms without a script; the script links them to their passages. */
export const commentsPart = (
  input: Discussion,
): Part => html`<section class="comments" aria-labelledby="comments-title" data-comments="${input.documentId}"><h2 id="comments-title">Comments</h2>
${input.mayTalk && newComment(input)}
${input.threads.length === 0 && !input.suggestions?.cards.length && html`<p class="hint">${input.mayTalk ? "Select text to comment, or comment on the page." : "No comments."}</p>`}
<ol class="threads">${input.threads.map((thread) => threadItem(thread, input))}</ol>
${input.suggestions && suggestionCards({ ...input, ...input.suggestions })}
${input.hasResolved && html`<p><a href="${input.showsResolved ? "?" : ALL}">${input.showsResolved ? "Hide resolved threads" : "Show resolved threads"}</a></p>`}</section>`;

const newComment = ({ documentId, formToken, showsResolved }: Discussion): Part =>
  html`<details class="new-comment" data-new-comment><summary class="button button-small">Comment</summary>${form(
    `/documents/${documentId}/comments${showsResolved ? ALL : ""}`,
    formToken,
    html`<blockquote class="passage" data-passage hidden></blockquote><input type="hidden" name="block" value=""><input type="hidden" name="quote" value=""><div class="field"><label for="new-comment">Your comment</label><textarea id="new-comment" name="text" rows="3" maxlength="20000" required aria-describedby="new-comment-hint"></textarea><p class="hint" id="new-comment-hint">Markdown. @ and a member's name mentions them. Ctrl Enter sends.</p></div><button class="button button-small button-main">Send</button>`,
  )}</details>`;

const states = {
  ok: "",
  moved: "The commented text has moved to another block.",
  dangling: "The commented text is no longer there.",
};

const passage = ({ anchor }: ShownThread): Part =>
  anchor && [
    anchor.quote !== null && html`<blockquote class="passage"><bdi>${anchor.quote}</bdi></blockquote>`,
    states[anchor.state] && html`<p class="hint">${states[anchor.state]}</p>`,
  ];

const place = ({ anchor }: ShownThread): Part =>
  anchor?.blockId &&
  html`${atBlock(anchor.blockId)} data-quote="${anchor.quote ?? ""}" data-start="${anchor.start ?? 0}"`;

const threadItem = (
  thread: ShownThread,
  input: Discussion,
): Part => html`<li class="thread ${thread.isResolved && "thread-resolved"}" id="${thread.id}" tabindex="-1" ${place(thread)}>
${passage(thread)}
${commentItem(thread, input)}
${thread.replies.length > 0 && html`<ol class="replies" aria-label="${plural(thread.replies.length, "reply", "replies")}">${thread.replies.map((reply) => html`<li id="${reply.id}">${commentItem(reply, input)}</li>`)}</ol>`}
${input.mayTalk && threadActions(thread, input)}</li>`;

const commentItem = (
  comment: ShownComment,
  input: Discussion,
): Part => html`<div class="comment"><p class="comment-head">${avatar(comment.authorName, comment.picture)}<bdi class="comment-author">${comment.authorName}</bdi>${comment.isAgent && html` <span class="tag">agent</span>`}<span class="comment-time">${time(comment.createdAt, input.now)}${comment.isEdited && " · edited"}</span></p>
${comment.content ? html`<div class="comment-body prose">${comment.content}</div>` : html`<p class="hint">This comment was deleted.</p>`}
${comment.content && reactionsPart(comment, input)}
${comment.content && input.mayTalk && ownActions(comment, input)}</div>`;

/** The target of a form about a comment; keeps resolved threads shown. */
const action = ({ documentId, showsResolved }: Discussion, { id }: ShownComment, verb: string): string =>
  `/documents/${documentId}/comments/${id}/${verb}${showsResolved ? ALL : ""}`;

/** Offered by name; any other emoji can be set through the API. */
const EMOJI = [
  ["👍", "Thumbs up"],
  ["❤️", "Heart"],
  ["🎉", "Hooray"],
  ["😄", "Laugh"],
  ["🤔", "Thinking"],
  ["👀", "Looking"],
] as const;

/** People who may comment add and remove their own reactions; everybody sees the counts. */
const reactionsPart = (comment: ShownComment, input: Discussion): Part =>
  input.mayTalk
    ? form(
        action(input, comment, "react"),
        input.formToken,
        html`${comment.reactions.map(
          ({ emoji, count, mine }) =>
            html`<button class="reaction" name="${mine ? "remove" : "add"}" value="${emoji}" aria-pressed="${mine ? "true" : "false"}" aria-label="${emoji} ${count}">${emoji} ${count}</button>`,
        )}<details class="react"><summary class="link-button">React</summary><div class="react-choices">${EMOJI.map(([emoji, label]) => html`<button class="reaction" name="add" value="${emoji}" aria-label="${label}" title="${label}">${emoji}</button>`)}</div></details>`,
        "reactions",
      )
    : comment.reactions.length > 0 &&
      html`<p class="reactions">${comment.reactions.map(({ emoji, count }) => html`<span class="reaction">${emoji} ${count}</span>`)}</p>`;

const ownActions = (comment: ShownComment, input: Discussion): Part =>
  html`<div class="thread-actions">${comment.own && editPart(comment, comment.own, input)}${(comment.isMine || input.isOwner) && form(action(input, comment, "delete"), input.formToken, html`<button class="link-button" aria-label="Delete the comment of ${comment.authorName}">Delete</button>`)}</div>`;

const editPart = (comment: ShownComment, own: NonNullable<ShownComment["own"]>, input: Discussion): Part =>
  html`<details><summary class="link-button">Edit</summary>${form(
    action(input, comment, "edit"),
    input.formToken,
    html`<input type="hidden" name="version" value="${own.version}"><input type="hidden" name="was" value="${own.text}"><div class="field"><label for="edit-${comment.id}">Your comment</label><textarea id="edit-${comment.id}" name="text" rows="3" maxlength="20000" required>${"\n"}${own.text}</textarea></div><button class="button button-small button-main">Save</button>`,
  )}</details>`;

const threadActions = (thread: ShownThread, input: Discussion): Part =>
  html`<div class="thread-actions"><details><summary class="link-button">Reply</summary>${form(
    action(input, thread, "replies"),
    input.formToken,
    html`<div class="field"><label for="reply-${thread.id}">Your reply</label><textarea id="reply-${thread.id}" name="text" rows="2" maxlength="20000" required></textarea></div><button class="button button-small button-main">Reply</button>`,
  )}</details>${form(action(input, thread, thread.isResolved ? "reopen" : "resolve"), input.formToken, html`<button class="link-button" data-resolve>${thread.isResolved ? "Reopen" : "Resolve"}</button>`)}</div>`;
