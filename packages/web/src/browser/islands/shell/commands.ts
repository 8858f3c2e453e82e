import type { IconName } from "../../../shared/icons.ts";
import { mayWriteInWorkspace, mayWriteSomewhere } from "../common/api.ts";
import { at } from "../common/base-path.ts";

/** A row of the palette: it leads to an address or runs something. */
export interface Entry {
  /** Identifies the row while results come and go. */
  readonly key: string;
  readonly label: string;
  readonly icon: IconName;
  readonly hint?: string;
  /** Words of the page that match, shown below the label. */
  readonly excerpt?: string;
  readonly href?: string;
  readonly run?: () => void;
}

const goTo = (label: string, path: string): Entry => ({
  key: path,
  label,
  href: at(path),
  icon: "command",
  hint: "Go to",
});

const places = (): Entry[] => [
  goTo("Home", "/knowledge-bases"),
  goTo("Ask", "/ask"),
  goTo("Review", "/review"),
  goTo("Notifications", "/notifications"),
  goTo("Concepts", "/concepts"),
  goTo("Trash", "/trash"),
  goTo("Members", "/members"),
  goTo("Groups", "/groups"),
  goTo("Activity", "/activity"),
  goTo("Usage", "/usage"),
  goTo("Settings", "/settings"),
  goTo("Account and sessions", "/account"),
  goTo("Security", "/account/security"),
  goTo("API tokens", "/account/tokens"),
  goTo("Connect an agent", "/account/connect"),
  goTo("Documentation", "/docs"),
  goTo("API reference", "/api-docs"),
  ...(mayWriteInWorkspace()
    ? [goTo("Import", "/import"), goTo("Webhooks", "/webhooks"), goTo("New workspace", "/workspaces/new")]
    : []),
  ...(mayWriteInWorkspace() ? [goTo("New knowledge base", "/knowledge-bases#new-base")] : []),
];

/** The controls of the page's bar and menus, and of a folder's title. */
const CONTROLS = [
  ".page-menu button:not([popovertarget])",
  ".page-menu a",
  ".page-actions > [data-panel-button]",
  ".page-actions > [data-favourite]",
  ".page-actions > a",
  ".title-row button",
].join(", ");

const nameOf = (control: HTMLElement): string =>
  (
    control.ariaLabel ??
    [...control.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)?.textContent ??
    control.textContent ??
    ""
  ).trim();

/** The page's own commands; each presses the control that the page shows for it. */
function ofThisPage(): Entry[] {
  const byName = new Map<string, Entry>();
  for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
    const label = nameOf(control);
    if (label === "" || control.hidden || control.matches("[role=menuitem], :disabled") || byName.has(label)) continue;
    byName.set(label, { key: `page:${label}`, label, icon: "command", hint: "This page", run: () => control.click() });
  }
  return [...byName.values()];
}

const press = (selector: string): void => document.querySelector<HTMLElement>(selector)?.click();

const shellCommands = (create: () => void): Entry[] => [
  ...(mayWriteSomewhere()
    ? [{ key: "new-page", label: "New page", icon: "plus", hint: "Create", run: create } as const]
    : []),
  { key: "shortcuts", label: "Keyboard shortcuts", icon: "command", run: () => press("[data-keys]") },
  {
    key: "sidebar",
    label: "Hide or show the sidebar",
    icon: "command",
    run: () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "[", bubbles: true })),
  },
];

const RECENT = "svc-commands";
const MAX_RECENT = 8;

const used = (): string[] => {
  try {
    return JSON.parse(localStorage.getItem(RECENT) ?? "[]");
  } catch {
    return [];
  }
};

/** Keeps a command that was run in front of the others, in this browser. */
export function remember({ key }: Entry): void {
  const keys = [key, ...used().filter((other) => other !== key)].slice(0, MAX_RECENT);
  localStorage.setItem(RECENT, JSON.stringify(keys));
}

/** All commands, those used last first. */
export function commands(create: () => void): Entry[] {
  const all = [...shellCommands(create), ...ofThisPage(), ...places()];
  const keys = used();
  const rank = ({ key }: Entry) => (keys.includes(key) ? keys.indexOf(key) : MAX_RECENT);
  return all
    .filter((entry, index) => all.findIndex(({ label }) => label === entry.label) === index)
    .toSorted((a, b) => rank(a) - rank(b));
}
