import { matches } from "../../match.ts";
import { mayWriteSomewhere } from "../common/api.ts";
import { at } from "../common/base-path.ts";
import { element, icon } from "../common/element.ts";
import { attempt } from "../common/toast.ts";
import { commands, type Entry, remember } from "./commands.ts";
import { createPage, findTexts, findTitles, readVisited } from "./palette-sources.ts";

const MAX_NEAR = 12;
const PAUSE_MS = 120;

const isSame = (label: string, typed: string): boolean => label.trim().toLowerCase() === typed.toLowerCase();

/** A dialog that finds pages by title and text, creates them, and runs every command; Enter takes the marked row. */
class Palette {
  readonly #dialog = element("dialog", { class: "palette", "aria-label": "Go to" });
  readonly #field = element("input", {
    type: "text",
    class: "palette-field",
    role: "combobox",
    "aria-label": "Go to a page or command",
    "aria-controls": "palette-list",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    placeholder: "Search or jump to…",
    autocomplete: "off",
    maxlength: 512,
  });
  readonly #list = element("ul", {
    id: "palette-list",
    class: "palette-list",
    role: "listbox",
    "aria-label": "Results",
  });
  #commands: readonly Entry[] = [];
  #visited: readonly Entry[] = [];
  #titles: readonly Entry[] = [];
  #texts: readonly Entry[] = [];
  #entries: readonly Entry[] = [];
  #at = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True while the pages with the typed title are loading. */
  #isWaiting = false;
  #asking: AbortController | undefined;

  constructor() {
    this.#dialog.append(this.#field, this.#list);
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.#dialog.close();
    });
    this.#field.addEventListener("input", () => this.#change());
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    document.body.append(this.#dialog);
  }

  /** Opens with text typed before the palette had loaded. */
  open(typed: string): void {
    if (this.#dialog.open) return;
    this.#field.value = typed;
    this.#titles = [];
    this.#texts = [];
    this.#commands = commands(() => attempt(() => createPage("")));
    this.#dialog.showModal();
    this.#change();
    attempt(async () => {
      this.#visited = await readVisited();
      this.#show();
    });
  }

  #change(): void {
    clearTimeout(this.#timer);
    const q = this.#field.value.trim();
    this.#titles = this.#titles.filter(({ label }) => q !== "" && matches(label, q));
    this.#texts = [];
    this.#isWaiting = q !== "";
    this.#at = 0;
    this.#show();
    if (this.#isWaiting) this.#timer = setTimeout(() => attempt(() => this.#ask()), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const { signal } = asking;
    const q = this.#field.value.trim();
    const isOld = () => signal.aborted || q !== this.#field.value.trim();
    findTexts(q, signal)
      .catch(() => [])
      .then((texts) => {
        if (isOld()) return;
        this.#texts = texts;
        this.#show();
      });
    const titles = await findTitles(q, signal).catch((error) => {
      if (signal.aborted) return [];
      throw error;
    });
    if (isOld()) return;
    this.#isWaiting = false;
    this.#titles = titles;
    this.#show();
  }

  /** Rows for typed text that nothing else stands for: a new page, a question, a search. */
  #forTyped(q: string): Entry[] {
    const query = encodeURIComponent(q);
    const make: Entry = {
      key: "create",
      label: `New page “${q}”`,
      icon: "plus",
      run: () => attempt(() => createPage(q)),
    };
    return [
      ...(mayWriteSomewhere() ? [make] : []),
      { key: "ask", label: `Ask: “${q}”`, href: at(`/ask?q=${query}`), icon: "ask" },
      { key: "search", label: `Search for “${q}”`, href: at(`/search?q=${query}`), icon: "search" },
    ];
  }

  #show(): void {
    const q = this.#field.value.trim();
    const near = [...this.#visited, ...this.#commands].filter(({ label }) => matches(label, q)).slice(0, MAX_NEAR);
    const known = new Set(near.map(({ key }) => key));
    const pages = [...near, ...this.#titles.filter(({ key }) => !known.has(key))];
    const [exact, others] = [true, false].map((wanted) => pages.filter(({ label }) => isSame(label, q) === wanted));
    const marked = this.#at > 0 ? this.#entries[this.#at]?.key : undefined;
    this.#entries = [...(exact ?? []), ...(others ?? []), ...this.#texts, ...(q ? this.#forTyped(q) : [])];
    this.#at = Math.max(
      0,
      this.#entries.findIndex(({ key }) => key === marked),
    );
    this.#list.replaceChildren(...this.#entries.map((entry, index) => this.#option(entry, index)));
    this.#mark();
  }

  #option(entry: Entry, index: number): HTMLElement {
    const option = element(
      "li",
      { id: `palette-${index}`, role: "option", class: "palette-option" },
      icon(entry.icon),
      element(
        "span",
        { class: "palette-label" },
        element("bdi", {}, entry.label),
        ...(entry.excerpt ? [element("small", { class: "palette-excerpt", dir: "auto" }, entry.excerpt)] : []),
      ),
      ...(entry.hint ? [element("small", {}, entry.hint)] : []),
    );
    option.addEventListener("click", (event) => this.#take(entry, event.ctrlKey || event.metaKey));
    option.addEventListener("auxclick", (event) => event.button === 1 && this.#take(entry, true));
    return option;
  }

  #take(entry: Entry, inNewTab = false): void {
    if (entry.icon === "command" || entry.run) remember(entry);
    if (entry.href === undefined) {
      this.#dialog.close();
      entry.run?.();
    } else if (inNewTab) open(entry.href, "_blank", "noopener");
    else location.assign(entry.href);
  }

  #mark(): void {
    const options = [...this.#list.children];
    for (const [index, option] of options.entries()) option.setAttribute("aria-selected", String(index === this.#at));
    const here = options[this.#at];
    this.#field.setAttribute("aria-activedescendant", here?.id ?? "");
    here?.scrollIntoView({ block: "nearest" });
  }

  /** Takes the marked row. Enter without a choice means the best page for the typed text. */
  async #go(inNewTab: boolean): Promise<void> {
    if (this.#isWaiting && this.#at === 0) await attempt(() => this.#ask());
    const entry = this.#entries[this.#at];
    if (entry) this.#take(entry, inNewTab);
  }

  #key(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const { length } = this.#entries;
    if (event.key === "Enter") {
      event.preventDefault();
      void this.#go(event.ctrlKey || event.metaKey);
    } else if (step && length > 0) {
      event.preventDefault();
      this.#at = (this.#at + step + length) % length;
      this.#mark();
    }
  }
}

let palette: Palette | undefined;

export function openPalette(typed: string): void {
  palette ??= new Palette();
  palette.open(typed);
}
