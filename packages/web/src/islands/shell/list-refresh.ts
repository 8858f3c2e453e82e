import { readPage } from "./read-page.ts";

/** Told on the document when the list of a folder's page was read again. */
export const LIST = "svc-list";

/** The list of a folder's page, read again. */
export async function refreshList(): Promise<void> {
  const old = document.querySelector("[data-list]");
  if (!old) return;
  const fresh = (await readPage(location.pathname + location.search))?.querySelector("[data-list]");
  if (!fresh) return;
  old.replaceChildren(...fresh.childNodes);
  document.dispatchEvent(new Event(LIST));
}
