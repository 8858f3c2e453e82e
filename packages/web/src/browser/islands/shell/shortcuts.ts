import { at } from "../common/base-path.ts";
import { attempt, takeKeptToast, toast, toastAfter } from "../common/toast.ts";
import { restoreAll } from "../tree/changes.ts";

/** A field of a dialog that was just closed has the focus until the next frame: unseen, it takes no writing. */
const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.checkVisibility() &&
  target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false]), dialog") !== null;

/** The help is an island of its own: pages arrive without it. */
const load = (): Promise<{ showHelp: () => void }> => import(new URL("keyboard-help.js", import.meta.url).href);

const showHelp = (): Promise<void> => attempt(async () => (await load()).showHelp());

const HIDDEN = "svc-side-hidden";

function toggleSide(): void {
  const isHidden = document.documentElement.classList.toggle("side-hidden");
  localStorage.setItem(HIDDEN, isHidden ? "1" : "");
}

const go: Record<string, string> = { h: "/knowledge-bases", r: "/review" };
let wasG = 0;

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey) {
    if (event.key === "\\") toggleSide();
    return;
  }
  if (isWriting(event.target) || event.altKey) return;
  const isSecond = Date.now() - wasG < 1000;
  wasG = event.key === "g" ? Date.now() : 0;
  if (isSecond && go[event.key]) location.assign(at(go[event.key]!));
  else if (event.key === "?") showHelp();
  else if (event.key === "[") toggleSide();
  else if (event.key === "n") document.querySelector<HTMLButtonElement>("[data-key-n]")?.click();
}

export function startShortcuts(): void {
  if (!document.getElementById("side")) return;
  if (localStorage.getItem(HIDDEN)) document.documentElement.classList.add("side-hidden");
  document.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("[data-keys]")) button.addEventListener("click", showHelp);
  const kept = takeKeptToast();
  const trashed = kept?.trashed ?? [];
  if (kept)
    toast(
      kept.text,
      trashed.length > 0
        ? async () => {
            const more = await restoreAll(trashed);
            if (more) toastAfter(more);
            location.reload();
          }
        : undefined,
    );
}
