import { readPage } from "./read-page.ts";

/** Told on the document when such a list was read again. */
export const LIST = "svc-list";

/** How to find a link or a box of the list again when its line was made anew. */
function selectorOf(focused: Element | null): string | undefined {
  const name = focused?.tagName === "A" ? "href" : "data-id";
  const value = focused?.getAttribute(name);
  return value ? `${focused?.tagName}[${name}="${CSS.escape(value)}"]` : undefined;
}

/** The list of a folder's page or of the overview, read again. */
export async function refreshList(): Promise<void> {
  const old = document.querySelector("[data-list]");
  if (!old) return;
  const fresh = (await readPage(location.pathname + location.search))?.querySelector("[data-list]");
  if (!fresh) return;
  const focused = old.contains(document.activeElement) ? selectorOf(document.activeElement) : undefined;
  old.replaceChildren(...fresh.childNodes);
  document.dispatchEvent(new Event(LIST));
  if (focused) old.querySelector<HTMLElement>(focused)?.focus();
}
