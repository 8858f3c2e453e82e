import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { time } from "../../time.ts";
import { activitySentence, type Done } from "./activity-words.ts";

interface Entry extends Done {
  readonly at: number;
  readonly path: string;
  readonly status: number;
  readonly token: string | null;
  readonly client: string | null;
  readonly isAgent: boolean;
  /** The action in words; null if only its name is known. */
  readonly summary: string | null;
}

interface Audit {
  readonly isOwner: boolean;
  readonly members: readonly { readonly id: string; readonly name: string }[];
  readonly actions: readonly string[];
  /** The filter as it stands in the address. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
  readonly next: string | undefined;
  readonly now: number;
}

export const auditPage = (input: Audit): Page => ({
  title: "Activity",
  main: html`<h1>Activity</h1>
<p class="lead">${input.isOwner ? "Changes by people and agents in this workspace." : "Changes by you and your agents in this workspace."}</p>
<details class="card filter-box" ${isFiltered(input) && html`open`}><summary>Filter</summary>
<form class="filters" action="/activity" aria-label="Filter">
${
  input.isOwner &&
  html`<div class="field"><label for="person">Person</label><select id="person" name="person"><option value="">Everybody</option>${input.members.map(
    ({ id, name }) => html`<option value="${id}" ${id === input.chosen.person && html`selected`}>${name}</option>`,
  )}</select></div>`
}
<div class="field"><label for="action">Action</label><select id="action" name="action"><option value="">All</option>${input.actions.map(
    (action) =>
      html`<option value="${action}" ${action === input.chosen.action && html`selected`}>${inWords(action)}</option>`,
  )}</select></div>
<div class="field"><label for="since">From</label><input id="since" name="since" type="date" value="${input.chosen.since}"></div>
<div class="field"><label for="until">To</label><input id="until" name="until" type="date" value="${input.chosen.until}"></div>
<label class="tick"><input type="checkbox" name="agents" value="1" ${input.chosen.agents === "1" && html`checked`}> Agents only</label>
<button class="button">Show</button>
</form></details>
<section class="card activity" aria-label="Entries">
${input.entries.length === 0 ? html`<p class="empty">${isFiltered(input) ? "Nothing matches this filter." : "Nothing yet."}</p>` : html`<ol class="rows">${input.entries.map((entry) => entryRow(entry, input.now))}</ol>`}
${input.next && html`<p><a class="button" href="${input.next}">Older</a></p>`}
</section>`,
});

const isFiltered = ({ chosen }: Audit): boolean =>
  ["person", "action", "since", "until", "agents"].some((name) => chosen[name]);

/** `create_document` as `Create document`. */
const inWords = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1).replaceAll("_", " ");

const entryRow = (entry: Entry, now: number): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title row-sentence">${entry.summary === null ? activitySentence(entry) : html`<bdi>${entry.summary}</bdi>`} ${entry.isAgent && html`<span class="tag">agent</span>`} ${entry.status >= 400 && html`<span class="tag">refused</span>`}</p>
<p class="row-facts"><span>${time(entry.at, now)}</span><span>${entry.client ?? "unknown app"}${entry.token && html` with <bdi>${entry.token}</bdi>`}</span></p></div></li>`;
