/** Comments know their passages: highlights in the text, a way from one to the other, and a comment on what is selected. */

import { offerPeople } from "./discussion/people-list.ts";

const SHOWN = "comment";
const CURRENT = "comment-current";

const threads = [...document.querySelectorAll<HTMLElement>(".thread")];
const ranges = new Map<HTMLElement, Range>();

/** The text of a block as its text nodes have it, and where each of them begins. */
function textOf(block: HTMLElement): { text: string; nodes: { node: Text; at: number }[] } {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; at: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, at: text.length });
    text += node.data;
  }
  return { text, nodes };
}

/** The place of a quote that is nearest to where it is said to begin; the whole block when it cannot be found. */
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
  // The end belongs to the node of the last letter, so that nothing of the next one is marked.
  const [node, offset] = place(best + quote.length - 1);
  range.setEnd(node, offset + 1);
  return range;
}

function mark(current: HTMLElement | undefined): void {
  if (!("highlights" in CSS)) return;
  const shown = [...ranges].filter(([thread]) => thread !== current).map(([, range]) => range);
  CSS.highlights.set(SHOWN, new Highlight(...shown));
  const own = current && ranges.get(current);
  CSS.highlights.set(CURRENT, new Highlight(...(own ? [own] : [])));
}

function choose(thread: HTMLElement, from: "text" | "list" | "inside"): void {
  for (const other of threads) other.toggleAttribute("data-current", other === thread);
  mark(thread);
  if (from === "text") thread.focus();
  else if (from === "list") ranges.get(thread)?.startContainer.parentElement?.scrollIntoView({ block: "center" });
}

/** The thread whose passage is at this point of the window. */
function threadAt(x: number, y: number): HTMLElement | undefined {
  for (const [thread, range] of ranges)
    for (const box of range.getClientRects())
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return thread;
  return undefined;
}

function followPassages(): void {
  for (const thread of threads) {
    const block = document.getElementById(thread.dataset.block ?? "");
    if (block && !thread.classList.contains("thread-resolved"))
      ranges.set(thread, rangeOf(block, thread.dataset.quote ?? "", Number(thread.dataset.start ?? 0)));
    // Only the thread itself moves the text: what is in it may be in the middle of a click.
    thread.addEventListener("focusin", (event) => choose(thread, event.target === thread ? "list" : "inside"));
    thread.querySelector(".passage")?.addEventListener("click", () => choose(thread, "list"));
  }
  mark(undefined);
  document.querySelector<HTMLElement>(".prose")?.addEventListener("click", (event) => {
    const { clientX, clientY, target } = event;
    if (target instanceof Element && target.closest("a, button")) return;
    const thread = getSelection()?.isCollapsed === false ? undefined : threadAt(clientX, clientY);
    if (thread) choose(thread, "text");
  });
}

const form = document.querySelector<HTMLDetailsElement>("[data-new-comment]");

/** What is selected within one block of the text. */
function selected(): { blockId: string; quote: string } | undefined {
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

/** Opens the form for a new comment, on what is selected if anything is. */
function write(about = selected()): void {
  if (!form) return;
  form.open = true;
  const field = (name: string) => form.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
  field("block").value = about?.blockId ?? "";
  field("quote").value = about?.quote ?? "";
  const shown = form.querySelector<HTMLElement>("[data-passage]")!;
  shown.hidden = !about;
  shown.textContent = about?.quote ?? "";
  form.querySelector("textarea")?.focus();
}

/** What is opened to be written in has the caret. */
function focusOpened(): void {
  const opened = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open) target.querySelector("textarea")?.focus();
  };
  document.querySelector(".comments")?.addEventListener("toggle", opened, { capture: true });
}

/** A button beside a selection. */
function offerComment(): void {
  if (!form) return;
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
  if (event.key === "c" && form) {
    event.preventDefault();
    write();
  }
  if (event.key !== "j" && event.key !== "k") return;
  const at = threads.findIndex((thread) => thread.contains(document.activeElement));
  const next = event.key === "j" ? at + 1 : Math.max(0, at - 1);
  threads[Math.min(next, threads.length - 1)]?.focus();
}

followPassages();
offerComment();
focusOpened();
const comments = document.querySelector<HTMLElement>("[data-comments]");
if (comments) offerPeople(comments.dataset.comments ?? "", comments.querySelectorAll("textarea"));
document.addEventListener("keydown", onKey);
const linked = threads.find(
  (thread) =>
    thread.id === location.hash.slice(1) || thread.querySelector(`#${CSS.escape(location.hash.slice(1) || "none")}`),
);
if (linked) choose(linked, "text");
document.documentElement.dataset.discussion = "ready";
