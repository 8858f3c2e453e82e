/** The history of a page beside its text: a version is compared in the place of the text, and restored from there. */
import { at } from "../common/base-path.ts";
import { element } from "../common/element.ts";
import { readPage } from "../common/read-page.ts";
import { attempt, toast } from "../common/toast.ts";
import { PAGE_READ } from "../discussion/events.ts";
import { PANEL_SHOWN } from "../living-page/events.ts";

const textOnPage = (): HTMLElement | null => document.querySelector<HTMLElement>(".reading > :is(.editor, .prose)");

class History {
  readonly #panel: HTMLElement;
  readonly #base: string;
  #view: HTMLElement | undefined;

  constructor(panel: HTMLElement, id: string) {
    this.#panel = panel;
    this.#base = at(`/documents/${id}`);
    panel.addEventListener("click", (event) => this.#onClick(event));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#view && !event.defaultPrevented) this.#close();
    });
  }

  async load(): Promise<void> {
    this.#take(await readPage(`${this.#base}/versions`), true);
  }

  #take(page: Document | undefined, isFirst: boolean): void {
    const list = page?.querySelector("[data-history]");
    if (!list) throw new TypeError("No history was received.");
    this.#panel.querySelector("[data-older]")?.remove();
    if (isFirst) this.#panel.replaceChildren();
    this.#panel.append(document.importNode(list, true));
  }

  #onClick(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { pathname, search } = new URL(link.href);
    const isOlder = pathname === `${this.#base}/versions` && search !== "";
    if (!isOlder && !pathname.startsWith(this.#base)) return;
    event.preventDefault();
    if (isOlder) void attempt(async () => this.#take(await readPage(link.href), false));
    else if (pathname.startsWith(`${this.#base}/history/`)) void attempt(() => this.#open(link.href));
    else this.#close();
  }

  async #open(address: string): Promise<void> {
    const page = await readPage(address);
    if (page) this.#show(page, address);
  }

  /** Shows a version in the place of the text. */
  #show(page: Document, address: string): void {
    const found = page.querySelector<HTMLElement>("[data-history-entry]");
    const text = textOnPage();
    if (!found || !text) throw new TypeError("No version was received.");
    const view = element("div", { class: "version-view" }, document.importNode(found, true));
    const rules = [...page.querySelectorAll("head > style")].map((rule) => document.importNode(rule, true));
    view.prepend(...rules);
    const back = view.querySelector(`a[href="${this.#base}/versions"]`);
    if (back) back.textContent = "Back to page";
    view.addEventListener("click", (event) => this.#onClick(event));
    view.addEventListener("submit", (event) => this.#onSubmit(event));
    this.#view?.remove();
    this.#view = view;
    text.before(view);
    text.hidden = true;
    for (const link of this.#panel.querySelectorAll("a"))
      if (new URL(link.href).pathname === new URL(address, location.href).pathname) link.ariaCurrent = "true";
      else link.ariaCurrent = null;
    scrollTo({ top: 0, behavior: "instant" });
    view.querySelector<HTMLElement>("h2")?.focus();
  }

  #close(): void {
    this.#view?.remove();
    this.#view = undefined;
    const text = textOnPage();
    if (text) text.hidden = false;
    for (const link of this.#panel.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  }

  #onSubmit(event: SubmitEvent): void {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    void attempt(() => this.#send(form));
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
    const action = form.getAttribute("action") ?? "";
    const answer = await fetch(action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) {
      toast(page.querySelector("main p")?.textContent ?? "Something went wrong. Nothing was changed.");
      return;
    }
    if (action.endsWith("/restore")) await this.#restored(page);
    else if (this.#view) await this.#open(action.replace(/\/name$/, ""));
    await this.load();
  }

  async #restored(page: Document): Promise<void> {
    this.#close();
    const undo = page.querySelector<HTMLFormElement>("main > .banner form");
    toast("Version restored. The previous text is in History.", undo ? () => this.#send(undo) : undefined);
    const fresh = await readPage(location.pathname + location.search);
    if (fresh) document.dispatchEvent(new CustomEvent(PAGE_READ, { detail: fresh }));
  }
}

/** Loads the history each time its panel is shown. */
export function startHistory(): void {
  const panel = document.querySelector<HTMLElement>("[data-history-panel]");
  if (!panel) return;
  const history = new History(panel, panel.dataset.historyPanel ?? "");
  document.addEventListener(PANEL_SHOWN, (event) => {
    if (event instanceof CustomEvent && event.detail === "history") void attempt(() => history.load());
  });
}
