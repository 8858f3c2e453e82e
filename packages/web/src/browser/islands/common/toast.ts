import { explain } from "./api.ts";
import { element } from "./element.ts";

const SHOWN_MS = 8000;

const area = (): HTMLElement => {
  const known = document.getElementById("toasts");
  if (known) return known;
  const made = element("div", { id: "toasts", class: "toasts", role: "status" });
  document.body.append(made);
  return made;
};

/** A short message at the edge of the page, with a way to take back what was done. It waits while it has the focus. */
export function toast(text: string, undo?: () => Promise<void>): void {
  const message = element("div", { class: "toast" }, element("span", {}, text));
  let timer = setTimeout(() => message.remove(), SHOWN_MS);
  message.addEventListener("focusin", () => clearTimeout(timer));
  message.addEventListener("focusout", () => {
    timer = setTimeout(() => message.remove(), SHOWN_MS);
  });
  if (undo) {
    const button = element("button", { type: "button", class: "toast-button" }, "Undo");
    button.addEventListener("click", () => {
      message.remove();
      undo().catch((error) => toast(explain(error)));
    });
    message.append(button);
  }
  // A newer message takes the place of older ones; what can still be undone stays beside one that cannot.
  for (const old of area().querySelectorAll(undo ? ".toast" : ".toast:not(:has(button))")) old.remove();
  area().append(message);
}

/** Runs an action and says what went wrong, if something does. */
export async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    toast(explain(error));
  }
}

const KEPT = "svc-toast";

/** Says something on the page that is shown next; what can be undone is named by its ids in the trash. */
export function toastAfter(text: string, trashed: readonly string[] = []): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ text, trashed }));
}

export function takeKeptToast(): { text: string; trashed: readonly string[] } | undefined {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return kept ? JSON.parse(kept) : undefined;
}
