import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { time } from "../../time.ts";

interface Counted {
  readonly used: number;
  readonly limit: number;
}

interface Usage {
  readonly workspaceName: string;
  readonly quota: {
    readonly knowledge_bases: Counted;
    readonly folders: Counted;
    readonly documents: Counted;
    readonly document_characters: { readonly limit: number };
    readonly attachments: {
      readonly used_bytes: number;
      readonly limit_bytes: number;
      readonly max_file_bytes: number;
    };
    readonly machine_translation: {
      readonly used_characters: number;
      readonly limit_characters: number;
      readonly resets_at: number;
    };
    readonly questions: { readonly used_tokens: number; readonly limit_tokens: number; readonly resets_at: number };
  };
  /** For owners. */
  readonly backup: Backup | undefined;
  readonly now: number;
}

interface Backup {
  readonly isScheduled: boolean;
  /** The time of the last good backup. */
  readonly at: number | undefined;
  readonly bytes: number | undefined;
  /** When a later attempt failed. */
  readonly failedAt: number | undefined;
}

const count = (value: number): string => value.toLocaleString("en");

/** `1.5 MB`: powers of 1000, one decimal below a hundred, so that a limit is not shown larger than it is. */
export function bytes(value: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [size, unit] = [value, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit > 0 && size < 100 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

export const usagePage = ({ workspaceName, quota, backup, now }: Usage): Page => ({
  title: "Usage",
  shape: "settings",
  main: html`<h1>Usage</h1>
<p class="lead">What <strong><bdi>${workspaceName}</bdi></strong> uses, and its limits.</p>
<section class="card" aria-label="Usage"><ul class="meters">
${meter("Knowledge bases", quota.knowledge_bases.used, quota.knowledge_bases.limit, count)}
${meter("Folders", quota.folders.used, quota.folders.limit, count)}
${meter("Pages", quota.documents.used, quota.documents.limit, count)}
${meter("Attachments", quota.attachments.used_bytes, quota.attachments.limit_bytes, bytes)}
${meter("Machine translation today, characters", quota.machine_translation.used_characters, quota.machine_translation.limit_characters, count, html`Resets ${time(quota.machine_translation.resets_at, now)}.`)}
${quota.questions.used_tokens > 0 && meter("Questions to the model today, tokens", quota.questions.used_tokens, quota.questions.limit_tokens, count, html`Resets ${time(quota.questions.resets_at, now)}.`)}
</ul>
<p class="hint">One page holds up to ${count(quota.document_characters.limit)} characters, one file up to ${bytes(quota.attachments.max_file_bytes)}.</p></section>
${backup && backupSection(backup, now)}`,
});

function backupSection({ isScheduled, at, bytes: size, failedAt }: Backup, now: number): Part {
  const last =
    at === undefined
      ? html`There is no backup of this server yet.`
      : html`The last good backup of this server was made ${time(at, now)} (${bytes(size ?? 0)}).`;
  return html`<section class="card" aria-labelledby="backup"><h2 id="backup">Backup</h2>
<p>${last}</p>
${failedAt !== undefined && html`<p class="error" role="alert">A backup failed ${time(failedAt, now)}. The server's log has the reason.</p>`}
${!isScheduled && html`<p class="hint">No backups are scheduled. The operator of this server sets <code>SVC_BACKUP_DIR</code>.</p>`}</section>`;
}

function meter(label: string, used: number, limit: number, write: (value: number) => string, note?: Part): Part {
  const id = label.toLowerCase().replace(/\W+/g, "-");
  return html`<li class="meter"><p class="meter-label" id="${id}">${label}</p><p class="meter-value">${write(used)} <span>of ${write(limit)}</span></p><progress aria-labelledby="${id}" max="${limit}" value="${Math.min(used, limit)}"></progress>${note && html`<p class="hint">${note}</p>`}</li>`;
}
