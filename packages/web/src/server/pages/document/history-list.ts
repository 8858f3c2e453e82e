import { type Html, html, type Part } from "../../../shared/html.ts";

interface Writer {
  /** Null if the account no longer exists. */
  readonly name: string | null;
  /** The program that wrote for the person. */
  readonly client: string | null;
  readonly agent: boolean;
  readonly acceptedBy: string | null;
}

export interface HistoryEntry {
  readonly id: string;
  readonly kind: "session" | "write" | "restore" | "suggestion" | "import";
  readonly by: readonly Writer[];
  readonly startedAt: number;
  readonly endedAt: number;
  readonly name: string | null;
}

export interface HistoryList {
  readonly documentId: string;
  readonly entries: readonly HistoryEntry[];
  /** The entry that is shown beside the list. */
  readonly shown?: string | undefined;
  /** The address of the next page, if there are older versions. */
  readonly older?: string | undefined;
  /** The id of the current version. */
  readonly current: string | undefined;
  /** The reader's time zone, as IANA names it. */
  readonly zone: string;
}

export const verbs: Record<HistoryEntry["kind"], string> = {
  session: "edited",
  write: "edited",
  restore: "restored a version",
  suggestion: "suggested a change",
  import: "imported the page",
};

/** The clock and calendar of one time zone. */
interface Zone {
  readonly day: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known) return known;
  const made = {
    day: new Intl.DateTimeFormat("en-GB", {
      weekday: "long",
      day: "numeric",
      month: "long",
      year: "numeric",
      timeZone,
    }),
    clock: new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }),
  };
  zones.set(timeZone, made);
  return made;
}

/** The day and the time at which a version ended, as the reader's clock shows them. */
export const dayAndTime = (entry: HistoryEntry, timeZone: string): Html =>
  html`${zoneOf(timeZone).day.format(entry.endedAt)}, ${timesOf(entry, timeZone)}`;

/** The panel that the script fills with the list. */
export const historyPart = ({ id }: { readonly id: string }): Part =>
  html`<section><h2>History</h2><div data-history-panel="${id}"><p><a href="/documents/${id}/versions">All versions</a></p></div></section>`;

export const addressOf = (documentId: string, id: string): string => `/documents/${documentId}/history/${id}`;

/** The versions of a page by day, newest first. It needs nothing around it, so a panel can show it, too. */
export const historyList = (list: HistoryList): Html =>
  html`<div class="history" data-history="${list.documentId}">${
    list.entries.length === 0
      ? html`<p class="empty">No versions yet. The first edit creates one.</p>`
      : byDay(list).map(
          ([day, entries]) =>
            html`<section aria-label="${day}"><h3 class="history-day">${day}</h3><ol class="rows">${entries.map((entry) => row(entry, list))}</ol></section>`,
        )
  }${list.older && html`<p data-older><a class="button button-small" href="${list.older}">Older versions</a></p>`}</div>`;

function byDay({ entries, zone }: HistoryList): [string, HistoryEntry[]][] {
  const found = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const day = zoneOf(zone).day.format(entry.endedAt);
    const same = found.get(day);
    if (same) same.push(entry);
    else found.set(day, [entry]);
  }
  return [...found];
}

/** The time of a version; of a session also its beginning. */
const timesOf = ({ startedAt, endedAt }: HistoryEntry, timeZone: string): Html => {
  const { day, clock } = zoneOf(timeZone);
  const [start, end] = [clock.format(startedAt), clock.format(endedAt)];
  const isDay = day.format(startedAt) === day.format(endedAt);
  return html`<time datetime="${new Date(endedAt).toISOString()}">${start === end || !isDay ? end : `${start}–${end}`}</time>`;
};

const writerPart = ({ name, client, agent, acceptedBy }: Writer): Part =>
  html`<bdi>${name ?? "a former member"}</bdi>${client && html` via <bdi>${client}</bdi>`}${agent && html` <span class="tag">agent</span>`}${acceptedBy && html`, accepted by <bdi>${acceptedBy}</bdi>`}`;

export const writersPart = (by: readonly Writer[]): Part =>
  by.map((writer, index) => html`${index > 0 && ", "}${writerPart(writer)}`);

const row = (entry: HistoryEntry, { documentId, shown, current, zone }: HistoryList): Part =>
  html`<li class="row"><div class="row-main"><p class="row-title"><a href="${addressOf(documentId, entry.id)}"${entry.id === shown && html` aria-current="true"`}>${entry.name ?? timesOf(entry, zone)}</a>${entry.id === current && html` <span class="tag">Current</span>`}</p>
<p class="row-facts">${entry.name !== null && html`<span>${timesOf(entry, zone)}</span>`}<span>${writersPart(entry.by)} ${verbs[entry.kind]}</span></p></div></li>`;
