import { THREADS_CHANGED } from "../discussion/events.ts";
import { OPEN_PANEL, PANEL_SHOWN } from "./events.ts";

const buttons = () => document.querySelectorAll<HTMLElement>("[data-panel-button]");

/** Shows one panel, or none. On narrow windows a panel that was asked for lies over the text. */
function show(aside: HTMLElement, name: string | undefined, isAsked: boolean): void {
  for (const panel of aside.querySelectorAll<HTMLElement>("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
  aside.classList.toggle("panels-open", isAsked && name !== undefined);
  const isSeen = name !== undefined && aside.checkVisibility();
  for (const button of buttons())
    button.setAttribute("aria-expanded", String(isSeen && button.dataset.panelButton === name));
  if (isSeen) document.dispatchEvent(new CustomEvent(PANEL_SHOWN, { detail: name }));
}

/** The panel that contains what the address leads to. */
function linkedPanel(): string | undefined {
  const id = location.hash.slice(1);
  const target = id === "" ? null : document.getElementById(id);
  return target?.closest<HTMLElement>("[data-panel]")?.dataset.panel;
}

export function startPanels(): void {
  const aside = document.querySelector<HTMLElement>("[data-panels]");
  if (!aside) return;
  const open = (name: string) => show(aside, name, true);
  const close = () => show(aside, undefined, true);
  show(aside, aside.dataset.panels, false);
  for (const button of buttons())
    button.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const isOpen = button.getAttribute("aria-expanded") === "true";
      if (isOpen) close();
      else open(button.dataset.panelButton ?? "");
    });
  aside.querySelector("[data-close-panel]")?.addEventListener("click", close);
  aside.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && aside.classList.contains("panels-open") && isOver(aside))
      close();
  });
  document.addEventListener(OPEN_PANEL, (event) => {
    if (event instanceof CustomEvent) open(String(event.detail));
  });
  // The address may lead to a comment that has not arrived yet.
  let isAwaited = false;
  const follow = () => {
    const linked = linkedPanel();
    isAwaited = linked === undefined && location.hash.startsWith("#com_");
    if (linked === undefined) return;
    open(linked);
    document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", follow);
  document.addEventListener(THREADS_CHANGED, () => {
    if (isAwaited) follow();
  });
  follow();
  const share = document.getElementById("menu-share");
  if (location.hash === "#share" && share) share.showPopover();
}

/** Whether the panel lies over the text. */
const isOver = (aside: HTMLElement): boolean => getComputedStyle(aside).position === "fixed";
