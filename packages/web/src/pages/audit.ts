import { html, type Part } from "../html.ts";
import type { Page } from "../page.ts";
import { time } from "../time.ts";

interface Entry {
  readonly at: number;
  readonly action: string;
  readonly path: string;
  readonly status: number;
  readonly person: string | null;
  readonly token: string | null;
  readonly client: string | null;
  readonly isAgent: boolean;
}

interface Audit {
  readonly isOwner: boolean;
  readonly members: readonly { readonly id: string; readonly name: string }[];
  /** The filter as it stands in the address. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
  readonly now: number;
}

export const auditPage = (input: Audit): Page => ({
  title: "Activity",
  main: html`<h1>Activity</h1>
<p class="lead">${input.isOwner ? "What people and programs did in this workspace." : "What you and your programs did in this workspace."}</p>
<form class="card filters" action="/activity" aria-label="Filter">
${
  input.isOwner &&
  html`<div class="field"><label for="person">Person</label><select id="person" name="person"><option value="">Everybody</option>${input.members.map(
    ({ id, name }) => html`<option value="${id}" ${id === input.chosen.person && html`selected`}>${name}</option>`,
  )}</select></div>`
}
<div class="field"><label for="action">Action</label><input id="action" name="action" value="${input.chosen.action}" autocomplete="off" placeholder="create_document"></div>
<div class="field"><label for="since">From</label><input id="since" name="since" type="date" value="${input.chosen.since}"></div>
<div class="field"><label for="until">To</label><input id="until" name="until" type="date" value="${input.chosen.until}"></div>
<label class="tick"><input type="checkbox" name="agents" value="1" ${input.chosen.agents === "1" && html`checked`}> Agents only</label>
<button class="button">Filter</button>
</form>
<section class="card" aria-label="Entries">
${
  input.entries.length === 0
    ? html`<p class="empty">Nothing fits.</p>`
    : html`<div class="table-scroll" tabindex="0" role="region" aria-label="Entries"><table class="table"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Where</th><th scope="col">With</th></tr></thead><tbody>${input.entries.map((entry) => entryRow(entry, input.now))}</tbody></table></div>`
}
${input.next && html`<p><a class="button" href="${input.next}">Older</a></p>`}
</section>`,
});

const entryRow = (entry: Entry, now: number): Part =>
  html`<tr><td>${time(entry.at, now)}</td><td><bdi>${entry.person ?? "–"}</bdi></td><td><code>${entry.action}</code></td><td class="table-path"><code>${entry.path}</code></td><td>${entry.client ?? "–"}${entry.token && html` <small>with <bdi>${entry.token}</bdi></small>`}${entry.isAgent && html` <span class="tag">agent</span>`}</td></tr>`;
