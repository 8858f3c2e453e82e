/** Keeps a text that is read as the server has it: changed blocks are replaced in place and glow with their author. */
import { defined } from "@svc/document/defined";
import { readPage } from "../common/read-page.ts";
import { PAGE_READ } from "../discussion/events.ts";
import { PAGE_CHANGED, type PageChange } from "../shell/page-change.ts";
import { changesAbove } from "./changes-above.ts";

const TEXT = "article[data-shown-version]";
const GLOW_MS = 4000;
/** Min time between two readings of the page while somebody types. */
const READ_MS = 1000;

type Item = { readonly id: string; readonly html: string; readonly shown: HTMLElement };

const isEdited = (): boolean => document.querySelector("[data-live-editor]") !== null;
const textIn = (page: ParentNode): HTMLElement | null => page.querySelector<HTMLElement>(TEXT);

/** Blocks and suggested blocks in their order, without the stretches around them. */
function itemsOf(text: HTMLElement): Item[] {
  const children = [...text.children].flatMap((child) =>
    child.classList.contains("stretch") ? [...child.children] : [child],
  );
  return children.flatMap((shown) =>
    shown instanceof HTMLElement ? [{ id: shown.id, html: shown.outerHTML, shown }] : [],
  );
}

const parsed = (html: string): HTMLElement => {
  const page = new DOMParser().parseFromString(`<article>${html}</article>`, "text/html");
  return defined(page.querySelector("article"));
};

/** Puts the items in place; returns those with an id that changed or are new. */
function patch(text: HTMLElement, before: readonly Item[], now: readonly Item[]): HTMLElement[] {
  const known = new Map(before.map(({ id, html }) => [id, html]));
  const shown = new Map(itemsOf(text).map((item) => [item.id, item.shown]));
  for (const item of itemsOf(text)) if (item.id === "" || !now.some(({ id }) => id === item.id)) item.shown.remove();
  const changed: HTMLElement[] = [];
  let last: HTMLElement | undefined;
  for (const { id, html, shown: fresh } of now) {
    const old = id === "" ? undefined : shown.get(id);
    const isSame = old !== undefined && known.get(id) === html;
    const made = isSame ? old : document.importNode(fresh, true);
    if (!isSame) {
      if (id !== "") changed.push(made);
      if (old) made.hidden = old.hidden;
      old?.replaceWith(made);
    }
    const follows = last ? nextOf(last) : itemsOf(text)[0]?.shown;
    if (!made.isConnected || follows !== made) {
      if (last) last.after(made);
      else text.prepend(made);
    }
    last = made;
  }
  return changed;
}

/** The item after this one, also in the next stretch. */
function nextOf(item: HTMLElement): Element | null {
  return item.nextElementSibling ?? item.closest(".stretch")?.nextElementSibling?.firstElementChild ?? null;
}

/** The first item in view, which must not move. */
function inView(text: HTMLElement, top: number): { readonly id: string; readonly top: number } | undefined {
  if (scrollY === 0) return undefined;
  const first = itemsOf(text).find(({ id, shown }) => id !== "" && shown.getBoundingClientRect().bottom > top);
  return first && { id: first.id, top: first.shown.getBoundingClientRect().top };
}

const barBottom = (): number => document.querySelector(".page-bar")?.getBoundingClientRect().bottom ?? 0;

/** Scrolls by what an item has moved; the browser's own anchoring would do the same a second time. */
function keepInPlace(kept: { readonly id: string; readonly top: number } | undefined): void {
  const now = kept && document.getElementById(kept.id)?.getBoundingClientRect();
  if (kept && now) scrollBy({ top: now.top - kept.top, behavior: "instant" });
}

function glow(blocks: readonly HTMLElement[], name: string): void {
  for (const block of blocks) {
    block.classList.add("agent-changed");
    block.dataset.by = name;
  }
  setTimeout(() => {
    for (const block of blocks) block.classList.remove("agent-changed");
  }, GLOW_MS);
}

/** Whether the reader has selected something that would be replaced. */
const isSelected = (text: HTMLElement): boolean => {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(text, true);
};

/** Parts of the page beside the text that follow it. */
const BESIDE = [".top .row-facts", ".outline nav", "[data-open-suggestions]"];

interface Follow {
  /** Adds the reading aids to new blocks. */
  readonly enhance: (root: ParentNode) => void;
  /** The contents have other links. */
  readonly remark: () => void;
}

export function followText({ enhance, remark }: Follow): void {
  const first = textIn(document);
  if (!first) return;
  // As the server sent it, before the reading aids are added.
  let known = first.innerHTML;
  const above = changesAbove(barBottom);

  const take = (page: ParentNode, name: string | undefined): void => {
    const [text, fresh] = [textIn(document), textIn(page)];
    if (!text || !fresh || isEdited()) return;
    const html = fresh.innerHTML;
    for (const { name: attribute, value } of fresh.attributes)
      if (attribute.startsWith("data-")) text.setAttribute(attribute, value);
    if (html === known) return;
    const kept = inView(text, barBottom());
    document.documentElement.style.setProperty("overflow-anchor", "none");
    const changed = patch(text, itemsOf(parsed(known)), itemsOf(fresh));
    known = html;
    for (const block of changed) enhance(block);
    for (const selector of BESIDE) {
      const [old, now] = [document.querySelector(selector), page.querySelector(selector)];
      if (old && now) old.replaceWith(document.importNode(now, true));
    }
    remark();
    keepInPlace(kept);
    requestAnimationFrame(() => document.documentElement.style.removeProperty("overflow-anchor"));
    if (name === undefined) return;
    glow(changed, name);
    above.add(changed);
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasRead = 0;
  const names = new Set<string>();
  const read = async () => {
    const text = textIn(document);
    if (!text || isEdited()) return;
    if (isSelected(text)) {
      document.addEventListener("selectionchange", soon, { once: true });
      return;
    }
    wasRead = Date.now();
    const name = [...names].join(", ");
    const page = await readPage(location.pathname + location.search).catch(() => undefined);
    if (!page) return;
    names.clear();
    take(page, name);
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void read(), Math.max(0, wasRead + READ_MS - Date.now()));
  };
  document.addEventListener(PAGE_CHANGED, (event) => {
    if (!(event instanceof CustomEvent)) return;
    const { name, version }: PageChange = event.detail;
    if (textIn(document)?.dataset.shownVersion === version) return;
    names.add(name);
    soon();
  });
  document.addEventListener(PAGE_READ, (event) => {
    if (event instanceof CustomEvent && event.detail instanceof Document) take(event.detail, undefined);
  });
}
