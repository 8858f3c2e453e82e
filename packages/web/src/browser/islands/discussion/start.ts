/** Connects comments to their passages: highlights in the text, links both ways, and comments on the selection. */

import { readPage } from "../common/read-page.ts";
import { EDITING, openPanel } from "../living-page/events.ts";
import { DISCUSSED } from "../shell/events.ts";
import { COMMENT_ON, COMMENTED, editorOnPage, newComment, PAGE_READ, type Passage, THREADS_CHANGED } from "./events.ts";
import { choose, findPassages, followPassages, placeCards, threads } from "./passages.ts";
import { patchChildren } from "./patch.ts";
import { offerPeople } from "./people-list.ts";
import { sendInPlace } from "./send-in-place.ts";

/** The selection within one block of the text. */
function selected(): Passage | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  const start = range.startContainer;
  const element = start instanceof Element ? start : start.parentElement;
  const block = element?.closest<HTMLElement>(".prose .block");
  if (!block) return undefined;
  const within = range.cloneRange();
  if (!block.contains(range.endContainer)) within.setEndAfter(block.lastChild ?? block);
  const quote = within.toString().trim();
  return quote ? { blockId: block.id, quote } : undefined;
}

/** Opens the form for a new comment, on the selection if there is one. */
function write(about = selected()): void {
  const form = newComment();
  if (!form) return;
  openPanel("comments");
  form.open = true;
  const field = (name: string) => form.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
  field("block").value = about?.blockId ?? "";
  field("quote").value = about?.quote ?? "";
  if (about) Object.assign(form.dataset, { block: about.blockId, quote: about.quote });
  else delete form.dataset.block;
  const shown = form.querySelector<HTMLElement>("[data-passage]")!;
  shown.hidden = !about;
  shown.textContent = about?.quote ?? "";
  placeCards();
  form.querySelector("textarea")?.focus();
}

/** Focuses the field of a form that has just been opened. */
function focusOpened(): void {
  const opened = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open) target.querySelector("textarea")?.focus();
  };
  document.querySelector(".comments")?.addEventListener("toggle", opened, { capture: true });
}

/** Shows a button beside the selection. */
function offerComment(): void {
  if (!newComment()) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-small comment-offer";
  button.textContent = "Comment";
  button.hidden = true;
  // The selection must outlive the press of the button.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    button.hidden = true;
    write();
  });
  document.body.append(button);
  document.addEventListener("selectionchange", () => {
    const about = selected();
    button.hidden = !about;
    if (!about) return;
    const box = getSelection()!.getRangeAt(0).getBoundingClientRect();
    button.style.setProperty("left", `${Math.max(8, Math.min(box.left, innerWidth - 120)) + scrollX}px`);
    button.style.setProperty("top", `${box.bottom + scrollY + 6}px`);
  });
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog") !== null;

/** `c` comments, `j` and `k` walk the threads, Ctrl Enter sends. */
function onKey(event: KeyboardEvent): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target instanceof HTMLTextAreaElement) {
    event.target.form?.requestSubmit();
    return;
  }
  if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "c" && newComment()) {
    event.preventDefault();
    write();
  }
  if (event.key !== "j" && event.key !== "k") return;
  const all = threads();
  const at = all.findIndex((thread) => thread.contains(document.activeElement));
  const next = event.key === "j" ? at + 1 : Math.max(0, at - 1);
  all[Math.min(next, all.length - 1)]?.focus();
}

/** Counts readings: an older answer that arrives later is ignored. */
let readings = 0;

/** Loads new comments and the count of suggestions without disturbing somebody who is writing. */
async function bringInNew(comments: HTMLElement): Promise<void> {
  const reading = ++readings;
  const page = await readPage(location.pathname + location.search).catch(() => undefined);
  if (reading !== readings) return;
  // First: what follows moves parts of the page that was read into this one.
  if (page) document.dispatchEvent(new CustomEvent(PAGE_READ, { detail: page }));
  for (const selector of ["[data-comments]", "[data-open-suggestions]"]) {
    const [old, fresh] = [document.querySelector(selector), page?.querySelector(selector)];
    if (old && fresh) patchChildren(old, fresh);
  }
  prepare(comments);
}

/** Adds script features to new threads and fields. */
function prepare(comments: HTMLElement): void {
  document.dispatchEvent(new Event(THREADS_CHANGED));
  findPassages();
  offerPeople(comments.dataset.comments ?? "", comments.querySelectorAll("textarea:not([aria-autocomplete])"));
}

/** Loads several comments within a moment at once. */
function followOthers(comments: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener(DISCUSSED, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void bringInNew(comments), 300);
  });
}

const answerOf = (threadId: string): string => `#${CSS.escape(threadId)} > .thread-actions summary`;

/** The delay after a text change before passages are located again. */
const TEXT_MS = 100;

/** Beside the editor, passages follow the text. */
function followEditor(comments: HTMLElement, editor: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watcher = new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(findPassages, TEXT_MS);
  });
  watcher.observe(editor, { childList: true, subtree: true, characterData: true, attributeFilter: [COMMENTED] });
  document.addEventListener(COMMENT_ON, (event) => {
    if (event instanceof CustomEvent) write(event.detail);
  });
  const goBack = () => editor.querySelector<HTMLElement>("[contenteditable]")?.focus();
  comments.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isWriting(event.target)) goBack();
  });
}

/** Comments and decisions are sent without leaving the page. */
function sendHere(comments: HTMLElement): void {
  const order = () => {
    const before = readings;
    return () => {
      const isNewest = readings === before;
      if (isNewest) readings++;
      else void bringInNew(comments);
      return isNewest;
    };
  };
  sendInPlace(comments, order, (threadId, page) => {
    document.dispatchEvent(new CustomEvent(PAGE_READ, { detail: page }));
    prepare(comments);
    // Keeps the focus in the answered thread, or in the text.
    const answer = threadId && document.querySelector<HTMLElement>(answerOf(threadId));
    if (document.activeElement !== document.body && document.activeElement?.checkVisibility()) return;
    if (answer) answer.focus({ preventScroll: true });
    else editorOnPage()?.querySelector<HTMLElement>("[contenteditable]")?.focus();
  });
}

const comments = document.querySelector<HTMLElement>("[data-comments]");
if (comments) {
  prepare(comments);
  followPassages(comments);
  followOthers(comments);
  sendHere(comments);
  const follow = () => {
    const editor = editorOnPage();
    if (editor) followEditor(comments, editor);
  };
  follow();
  document.addEventListener(EDITING, follow);
}
offerComment();
focusOpened();
document.addEventListener("keydown", onKey);
const linked = threads().find(
  (thread) =>
    thread.id === location.hash.slice(1) || thread.querySelector(`#${CSS.escape(location.hash.slice(1) || "none")}`),
);
if (linked) choose(linked, "text");
document.documentElement.setAttribute("data-discussion-ready", "");
