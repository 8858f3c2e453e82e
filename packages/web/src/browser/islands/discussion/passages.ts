import { openPanel } from "../living-page/events.ts";
import { COMMENTED, editorOnPage } from "./events.ts";
import { keepBeside, layOut } from "./margin.ts";

const SHOWN = "comment";
const CURRENT = "comment-current";

/** The passages of the threads that are shown and not resolved. */
const ranges = new Map<HTMLElement, Range>();

/** Returns the page's current threads, which change while other people start and resolve threads. */
export const threads = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(".thread")];

/** Selects the words that a suggestion adds, which are not part of the text. */
const SUGGESTED = ".change-added, .suggested-block";

/** The text of a block, and its text nodes with their offsets. */
function textOf(block: HTMLElement): { text: string; nodes: { node: Text; at: number }[] } {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; at: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(SUGGESTED)) continue;
    nodes.push({ node, at: text.length });
    text += node.data;
  }
  return { text, nodes };
}

/** The occurrence of a quote nearest to its recorded start; the whole block if it cannot be found. */
function rangeOf(block: HTMLElement, quote: string, start: number): Range {
  const range = document.createRange();
  range.selectNodeContents(block);
  const { text, nodes } = textOf(block);
  let best = -1;
  for (let at = quote ? text.indexOf(quote) : -1; at >= 0; at = text.indexOf(quote, at + 1))
    if (best < 0 || Math.abs(at - start) < Math.abs(best - start)) best = at;
  if (best < 0) return range;
  const place = (offset: number) => {
    const last = nodes.findLast(({ at }) => at <= offset) ?? nodes[0]!;
    return [last.node, Math.min(offset - last.at, last.node.length)] as const;
  };
  range.setStart(...place(best));
  // The range ends in the node of the last letter, so that it does not extend into the next node.
  const [node, offset] = place(best + quote.length - 1);
  range.setEnd(node, offset + 1);
  return range;
}

const isSuggestion = (thread: HTMLElement): boolean => thread.classList.contains("suggestion-card");

/** The range of a suggestion's marks in its block; the whole block if it has none. */
function rangeOfChange(block: HTMLElement): Range {
  const range = document.createRange();
  const marks = block.querySelectorAll(".change-gone, .change-added");
  const [first, last] = [marks[0], marks[marks.length - 1]];
  if (first && last) {
    range.setStartBefore(first);
    range.setEndAfter(last);
  } else range.selectNodeContents(block);
  return range;
}

function mark(): void {
  if (!("highlights" in CSS)) return;
  const [current, shown] = [new Highlight(), new Highlight()];
  for (const [thread, range] of ranges)
    if (!isSuggestion(thread)) (thread.hasAttribute("data-current") ? current : shown).add(range);
  CSS.highlights.set(SHOWN, shown);
  CSS.highlights.set(CURRENT, current);
}

/** A block's element, in the page or in the editor. */
const blockShown = (id: string): HTMLElement | null =>
  document.getElementById(id) ?? document.querySelector(`[${COMMENTED}="${CSS.escape(id)}"]`);

/** Locates the threads' passages and highlights them. */
export function findPassages(): void {
  ranges.clear();
  for (const thread of threads()) {
    const block = blockShown(thread.dataset.block ?? "");
    if (!block || thread.classList.contains("thread-resolved")) continue;
    if (isSuggestion(thread)) ranges.set(thread, rangeOfChange(block));
    else ranges.set(thread, rangeOf(block, thread.dataset.quote ?? "", Number(thread.dataset.start ?? 0)));
  }
  mark();
  placeCards();
}

/** The passage that the person is about to comment on. */
function rangeOfForm({ dataset }: HTMLElement): Range | undefined {
  const block = blockShown(dataset.block ?? "") ?? document.querySelector<HTMLElement>(".editor");
  return block ? rangeOf(block, dataset.quote ?? "", 0) : undefined;
}

/** Places the cards next to their passages. */
export function placeCards(): void {
  const margin = document.querySelector<HTMLElement>("[data-comments]");
  if (margin)
    layOut(margin, (card) => ranges.get(card) ?? (card.matches(".new-comment") ? rangeOfForm(card) : undefined));
}

export function choose(thread: HTMLElement, from: "text" | "list" | "inside"): void {
  for (const other of threads()) other.toggleAttribute("data-current", other === thread);
  mark();
  placeCards();
  if (from === "text") {
    openPanel("comments");
    if (!editorOnPage()) thread.focus({ preventScroll: true });
    thread.scrollIntoView({ block: "nearest" });
  } else if (from === "list") showPassage(thread);
}

/** In a long document, shows the part with the thread's block. */
function showPassage(thread: HTMLElement): void {
  const passage = ranges.get(thread)?.startContainer.parentElement;
  if (passage) passage.scrollIntoView({ block: "center" });
  else if (editorOnPage() && thread.dataset.block) location.hash = thread.dataset.block;
}

/** The thread whose passage is at this point of the window. */
function threadAt(x: number, y: number): HTMLElement | undefined {
  for (const [thread, range] of ranges)
    for (const box of range.getClientRects())
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return thread;
  return undefined;
}

/** Makes a click on a thread show its passage, and a click on a passage its thread. */
export function followPassages(comments: HTMLElement): void {
  keepBeside(comments, placeCards);
  const threadOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLElement>(".thread") : undefined;
  comments.addEventListener("focusin", (event) => {
    const thread = threadOf(event);
    // Only the thread itself scrolls the text: an element in it may be in the middle of a click.
    if (thread) choose(thread, event.target === thread ? "list" : "inside");
  });
  comments.addEventListener("click", (event) => {
    const thread = threadOf(event);
    if (thread && event.target instanceof Element && event.target.closest(".passage")) choose(thread, "list");
  });
  const text = document.querySelector<HTMLElement>(".editor") ?? document.querySelector<HTMLElement>(".prose");
  text?.addEventListener("click", (event) => {
    const { clientX, clientY, target } = event;
    if (target instanceof Element && target.closest("a, button")) return;
    const thread = getSelection()?.isCollapsed === false ? undefined : threadAt(clientX, clientY);
    if (thread) choose(thread, "text");
  });
}
