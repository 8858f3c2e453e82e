/** Deciding with the keyboard: j and k walk what waits, a accepts, r rejects, Enter opens. */

const items = [...document.querySelectorAll<HTMLElement>("[data-review-item]")];

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input:not([type=checkbox]), textarea, select, dialog") !== null;

/** The item that has the focus, or holds what has it. */
const current = (): HTMLElement | undefined => items.find((item) => item.contains(document.activeElement));

function walk(step: number): void {
  const item = current();
  const at = item ? items.indexOf(item) : -1;
  const next = items[Math.max(0, Math.min(items.length - 1, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const item = current();
  const press = (selector: string) => item?.querySelector<HTMLElement>(selector)?.click();
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if (event.key === "a") press("[data-key-a]");
  else if (event.key === "r") press("[data-key-r]");
  else if (event.key === "x") press("input[type=checkbox]");
  else if (event.key === "Enter" && event.target === item) press("[data-key-enter]");
});

/** On a page with its suggestions, the first one is brought into sight. */
if (!location.hash) document.querySelector(".prose [data-review-item]")?.scrollIntoView({ block: "center" });
document.documentElement.setAttribute("data-review-ready", "");
