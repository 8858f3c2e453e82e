import { type Html, html, type Part } from "../shared/html.ts";
import type { Viewer } from "../shared/page.ts";

interface Entry {
  readonly href: string;
  readonly label: string;
  /** Whom it is offered to; everybody by default. */
  readonly for?: (viewer: Viewer) => boolean;
}

const isOwner = ({ workspace }: Viewer): boolean => workspace.role === "owner";
const writes = ({ workspace }: Viewer): boolean => workspace.role !== "viewer";

const own: readonly Entry[] = [
  { href: "/account", label: "Account" },
  { href: "/account/security", label: "Security" },
  { href: "/settings", label: "Appearance" },
  { href: "/notifications/settings", label: "Notifications" },
  { href: "/account/tokens", label: "API tokens" },
  { href: "/account/connect", label: "Connect an agent" },
];

const ofWorkspace: readonly Entry[] = [
  { href: "/members", label: "Members" },
  { href: "/groups", label: "Groups" },
  { href: "/public-links", label: "Public links", for: isOwner },
  { href: "/webhooks", label: "Webhooks", for: writes },
  { href: "/import", label: "Import", for: writes },
  { href: "/usage", label: "Usage" },
];

/** A page of the settings beside the list of all of them. */
export const settingsArea = (path: string, viewer: Viewer, main: Html): Html =>
  html`<div class="settings"><nav class="settings-list" aria-label="Settings">${group("You", own, path, viewer)}${group(viewer.workspace.name, ofWorkspace, path, viewer)}</nav><div class="settings-page">${main}</div></div>`;

const group = (title: string, entries: readonly Entry[], path: string, viewer: Viewer): Part => {
  const offered = entries.filter((entry) => entry.for?.(viewer) ?? true);
  const here = nearest(offered, path);
  return html`<p class="side-title"><bdi>${title}</bdi></p><ul class="side-list">${offered.map(
    (entry) =>
      html`<li><a class="side-link" href="${entry.href}" ${entry === here && html`aria-current="page"`}>${entry.label}</a></li>`,
  )}</ul>`;
};

/** The entry that a page belongs to: the longest address that the page's begins with. */
const nearest = (entries: readonly Entry[], path: string): Entry | undefined =>
  entries
    .filter(({ href }) => path === href || path.startsWith(`${href}/`))
    .toSorted((a, b) => b.href.length - a.href.length)[0];
