import { html, type Part } from "../../../shared/html.ts";
import type { Named } from "../../../shared/page.ts";
import { confirm, copyable, form } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

/** The public link of a document or folder, for people who may create one. */
export interface Share {
  /** Its public address; null while it is not shared. */
  readonly url: string | null;
  readonly expiresAt: number | null;
  readonly hasPassword: boolean;
  /** A folder around it whose own public link includes it. */
  readonly site: Named | undefined;
}

interface Shared {
  readonly share: Share;
  /** `/documents/…` or `/folders/…`. */
  readonly path: string;
  readonly shows: string;
  readonly formToken: string;
  readonly now: number;
}

/** The offered lifetimes in days. */
export const shareLifetimes = ["1", "7", "30", "90", "365"] as const;

export function sharePart({ share, path, shows, formToken, now }: Shared): Part {
  if (!share.url)
    return html`<section id="share"><h2>Share</h2><p class="hint">${siteHint(share, shows) || `Only members can see ${shows}.`}</p><details class="confirm"><summary class="button button-small">Share…</summary><div class="confirm-box">${form(`${path}/share`, formToken, [wishes(share), html`<button class="button button-main button-small">Create public link</button>`])}</div></details></section>`;
  return html`<section id="share"><h2>Share</h2><p class="hint">Anyone with this link ${share.hasPassword && "and its password "}can read ${shows}${share.expiresAt !== null && html`, until ${time(share.expiresAt, now)}`}. ${siteHint(share, shows)}</p>${copyable("share-link", "Link", share.url)}
<details class="confirm"><summary class="button button-small">Change</summary><div class="confirm-box">${form(`${path}/share`, formToken, [wishes(share), html`<button class="button button-small">Save</button>`])}</div></details>
${confirm(
  "Turn off",
  "The link stops working for everyone who has it.",
  form(`${path}/unshare`, formToken, html`<button class="button button-danger">Remove public link</button>`),
)}</section>`;
}

const siteHint = ({ site }: Share, shows: string): Part =>
  site &&
  html`Anyone with the public link of <a href="/folders/${site.id}#share"><bdi>${site.name}</bdi></a> can read ${shows}.`;

const wishes = ({ url, hasPassword }: Share): Part =>
  html`<div class="field"><label for="share-days">Expires</label><select id="share-days" name="days">${url !== null && html`<option value="">No change</option>`}<option value="never">Never</option>${shareLifetimes.map((days) => html`<option value="${days}">In ${days} ${days === "1" ? "day" : "days"}</option>`)}</select></div>
<div class="field"><label for="share-password">Password</label><input id="share-password" name="password" type="password" maxlength="200" autocomplete="new-password"><p class="hint">${hasPassword ? "Leave empty to keep the current password." : "Optional."}</p></div>
${hasPassword && html`<p><label><input type="checkbox" name="no_password" value="1"> Remove the password</label></p>`}`;
