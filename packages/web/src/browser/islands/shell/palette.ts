import type { IconName } from "../../../shared/icons.ts";
import { matches } from "../../match.ts";
import { api, mayWriteInWorkspace } from "../common/api.ts";
import { at } from "../common/base-path.ts";
import { element, icon } from "../common/element.ts";
import { attempt } from "../common/toast.ts";

interface Entry {
  readonly label: string;
  readonly href: string;
  readonly icon: IconName;
  readonly hint?: string;
}

const command = (label: string, path: string): Entry => ({ label, href: at(path), icon: "command", hint: "Go to" });

const commands = (): Entry[] => [
  command("Home", "/knowledge-bases"),
  command("Review", "/review"),
  command("Concepts", "/concepts"),
  command("Trash", "/trash"),
  command("Members", "/members"),
  command("Activity", "/activity"),
  command("Usage", "/usage"),
  command("Settings", "/settings"),
  command("Account and sessions", "/account"),
  command("API tokens", "/account/tokens"),
  command("Documentation", "/docs"),
  command("API reference", "/api-docs"),
  ...(mayWriteInWorkspace()
    ? [command("Import", "/import"), command("Webhooks", "/webhooks"), command("New workspace", "/workspaces/new")]
    : []),
];

const toEntry = (document: { document_id: string; title: string; document_type: string }, hint?: string): Entry => ({
  label: document.title,
  href: at(`/documents/${document.document_id}`),
  icon: document.document_type === "document" ? "document" : "spreadsheet",
  ...(hint && { hint }),
});

/** Recently opened pages come first: most people go back. */
async function readVisited(): Promise<Entry[]> {
  const { data } = await api.get("/me/recent", { query: { limit: 30 } });
  return data.map((document) => toEntry(document, "Recent"));
}

async function findTitles(q: string, signal: AbortSignal): Promise<Entry[]> {
  const { data } = await api.get("/documents", { query: { q, limit: 10 }, signal });
  return data.map(({ id, title, document_type }) => toEntry({ document_id: id, title, document_type }));
}

const MAX_NEAR = 12;
const PAUSE_MS = 120;

const isSame = (label: string, typed: string): boolean => label.trim().toLowerCase() === typed.toLowerCase();

/** A dialog that finds pages by their titles, and the parts of the workspace; Enter goes there. */
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
  #visited: readonly Entry[] = [];
  #found: readonly Entry[] = [];
  #at = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True while the pages for the typed text are loading. */
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
    this.#found = [];
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
    this.#found = this.#found.filter(({ label }) => q !== "" && matches(label, q));
    this.#isWaiting = q !== "";
    this.#show();
    if (this.#isWaiting) this.#timer = setTimeout(() => attempt(() => this.#ask()), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const q = this.#field.value.trim();
    const found = await findTitles(q, asking.signal).catch((error) => {
      if (asking.signal.aborted) return [];
      throw error;
    });
    if (asking.signal.aborted || q !== this.#field.value.trim()) return;
    this.#isWaiting = false;
    this.#found = found;
    this.#show();
  }

  #show(): void {
    const q = this.#field.value.trim();
    const near = [...this.#visited, ...commands()].filter((entry) => matches(entry.label, q));
    const known = new Set(near.map(({ href }) => href));
    const search: Entry = {
      label: `Search for “${q}”`,
      href: at(`/search?q=${encodeURIComponent(q)}`),
      icon: "search",
    };
    const places = [...near.slice(0, MAX_NEAR), ...this.#found.filter(({ href }) => !known.has(href))];
    const [exact, others] = [true, false].map((wanted) => places.filter(({ label }) => isSame(label, q) === wanted));
    const entries = [...(exact ?? []), ...(others ?? []), ...(q ? [search] : [])];
    this.#at = 0;
    this.#list.replaceChildren(...entries.map((entry, index) => this.#option(entry, index)));
    this.#mark();
  }

  #option(entry: Entry, index: number): HTMLElement {
    const option = element(
      "li",
      { id: `palette-${index}`, role: "option", class: "palette-option", "data-href": entry.href },
      icon(entry.icon),
      element("bdi", { class: "palette-label" }, entry.label),
      ...(entry.hint ? [element("small", {}, entry.hint)] : []),
    );
    option.addEventListener("click", () => location.assign(entry.href));
    return option;
  }

  #mark(): void {
    const options = [...this.#list.children];
    for (const [index, option] of options.entries()) option.setAttribute("aria-selected", String(index === this.#at));
    const here = options[this.#at];
    this.#field.setAttribute("aria-activedescendant", here?.id ?? "");
    here?.scrollIntoView({ block: "nearest" });
  }

  /** Goes to the marked entry. Enter without a choice means the best page for the typed text. */
  async #go(): Promise<void> {
    if (this.#isWaiting && this.#at === 0) await attempt(() => this.#ask());
    const href = this.#list.children[this.#at]?.getAttribute("data-href");
    if (href) location.assign(href);
  }

  #key(event: KeyboardEvent): void {
    const options = [...this.#list.querySelectorAll<HTMLElement>(":scope > *")];
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === "Enter") {
      event.preventDefault();
      void this.#go();
    } else if (step && options.length > 0) {
      event.preventDefault();
      this.#at = (this.#at + step + options.length) % options.length;
      this.#mark();
    }
  }
}

let palette: Palette | undefined;

export function openPalette(typed: string): void {
  palette ??= new Palette();
  palette.open(typed);
}
