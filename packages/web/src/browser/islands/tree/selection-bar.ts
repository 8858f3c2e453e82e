import { element } from "../common/element.ts";
import { copyTo, discardAll, moveTo } from "./many.ts";
import { CHOSEN, clearSelection, selected } from "./selection.ts";
import type { Movable } from "./tree-item.ts";

function makeBar(): HTMLElement {
  const button = (label: string, action: () => void) => {
    const made = element("button", { type: "button", class: "button button-small" }, label);
    made.addEventListener("click", action);
    return made;
  };
  const run = (action: (places: Movable[]) => Promise<void>) => () => void action(selected()).then(clearSelection);
  const bar = element(
    "div",
    { id: "chosen", class: "chosen-bar", role: "toolbar", "aria-label": "Selected items" },
    element("span", { "data-count": "", role: "status" }),
    button("Move to…", run(moveTo)),
    button("Copy to…", run(copyTo)),
    button("Delete", run(discardAll)),
    button("Clear", clearSelection),
  );
  document.getElementById("main")?.append(bar);
  return bar;
}

/** Below the page, as long as something is chosen: how many things, and what can be done with them. */
export function startSelectionBar(): void {
  document.addEventListener(CHOSEN, () => {
    const count = selected().length;
    const bar = document.getElementById("chosen") ?? (count > 0 ? makeBar() : undefined);
    if (!bar) return;
    bar.hidden = count === 0;
    const text = bar.querySelector("[data-count]");
    if (text) text.textContent = `${count} chosen`;
  });
}
