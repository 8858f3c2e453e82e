import { AnswerOrder } from "../common/answer-order.ts";
import { readPage } from "../common/read-page.ts";

/** Dispatched on the document after such a list was loaded again. */
export const LIST = "svc-list";

/** A selector that finds a link or checkbox of the list again after its row was rebuilt. */
function selectorOf(focused: Element | null): string | undefined {
  const name = focused?.tagName === "A" ? "href" : "data-id";
  const value = focused?.getAttribute(name);
  return value ? `${focused?.tagName}[${name}="${CSS.escape(value)}"]` : undefined;
}

const order = new AnswerOrder();

/** Reloads the list of a folder's page or of the overview, and the path to the page. */
export async function refreshList(): Promise<void> {
  const [trail, old] = [".trail", "[data-list]"].map((part) => document.querySelector(part));
  if (!trail && !old) return;
  const isNewest = order.ask();
  const page = await readPage(location.pathname + location.search);
  if (!isNewest()) return;
  trail?.replaceWith(page?.querySelector(".trail") ?? trail);
  const fresh = page?.querySelector("[data-list]");
  if (!old || !fresh) return;
  const focused = old.contains(document.activeElement) ? selectorOf(document.activeElement) : undefined;
  old.replaceChildren(...fresh.childNodes);
  document.dispatchEvent(new Event(LIST));
  if (focused) old.querySelector<HTMLElement>(focused)?.focus();
}
