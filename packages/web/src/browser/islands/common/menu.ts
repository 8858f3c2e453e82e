import { element, targetOf } from "./element.ts";

export interface Action {
  readonly label: string;
  readonly run: () => void;
  readonly isDanger?: boolean;
  /** A colour that is shown beside the label. */
  readonly swatch?: string;
}

/** A menu of actions beside something (a manual popover: an automatic one closes when the right button is let go); the keyboard walks it, Escape closes it and goes back. */
export function openMenu(label: string, actions: readonly Action[], at: DOMRect, back: HTMLElement): void {
  document.getElementById("place-menu")?.remove();
  const menu = element("div", {
    id: "place-menu",
    class: "menu place-menu",
    role: "menu",
    popover: "manual",
    "aria-label": label,
  });
  for (const action of actions) {
    const item = element(
      "button",
      {
        type: "button",
        role: "menuitem",
        tabindex: -1,
        class: action.isDanger ? "menu-item menu-danger" : "menu-item",
      },
      action.label,
    );
    if (action.swatch !== undefined) item.prepend(swatchOf(action.swatch));
    item.addEventListener("click", () => {
      close();
      action.run();
    });
    menu.append(item);
  }
  const close = (event?: Event) => {
    if (event?.type === "pointerdown" && menu.contains(targetOf(event))) return;
    document.removeEventListener("pointerdown", close, true);
    const hadFocus = menu.contains(document.activeElement);
    menu.remove();
    if (hadFocus) back.focus();
  };
  document.addEventListener("pointerdown", close, true);
  menu.addEventListener("keydown", (event) => walk(menu, event, close));
  // The browser's top layer shows it over the drawer too, as long as it stands inside of it.
  (back.closest("[popover]") ?? document.body).append(menu);
  menu.showPopover();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.setProperty("left", `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`);
  menu.style.setProperty("top", `${Math.max(8, Math.min(at.bottom + 4, innerHeight - height - 8))}px`);
  menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
}

function swatchOf(colour: string): HTMLElement {
  const swatch = element("span", { class: "menu-swatch", "aria-hidden": "true" });
  swatch.style.setProperty("background", colour);
  return swatch;
}

function walk(menu: HTMLElement, event: KeyboardEvent, close: () => void): void {
  const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const here = items.findIndex((item) => item.matches(":focus"));
  const steps: Record<string, number> = {
    ArrowDown: (here + 1) % items.length,
    ArrowUp: (here - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  const next = steps[event.key];
  if (event.key === "Tab" || event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    close();
  }
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
