import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, copyable, field, form, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

export interface TokenItem {
  readonly id: string;
  readonly name: string;
  readonly access: "read_only" | "suggest" | "read_write";
  readonly scopes: readonly string[];
  /** Fewer scopes than the access would give. */
  readonly isPartial: boolean;
  /** Whether it reaches only some knowledge bases. */
  readonly isBound: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  readonly lastClient: string | null;
}

/** The typed values, shown again with a complaint. */
export interface TokenForm {
  readonly name: string;
  readonly access: string;
  readonly scopes: readonly string[];
  /** Ids of knowledge bases; none: all. */
  readonly bases: readonly string[];
  readonly days: string;
  readonly wrong?: string | undefined;
}

/** A token of another member, for owners. */
interface OthersToken extends TokenItem {
  readonly holder: string;
}

interface Tokens {
  readonly formToken: string;
  readonly workspaceName: string;
  readonly canWrite: boolean;
  readonly tokens: readonly TokenItem[];
  readonly others: readonly OthersToken[];
  readonly scopes: readonly string[];
  readonly bases: readonly { readonly id: string; readonly name: string }[];
  readonly form: TokenForm;
  readonly now: number;
}

export const lifetimes: readonly { readonly days: string; readonly label: string }[] = [
  { days: "7", label: "7 days" },
  { days: "30", label: "30 days" },
  { days: "90", label: "90 days" },
  { days: "365", label: "1 year" },
  { days: "never", label: "Never" },
];

export function tokensPage(input: Tokens): Page {
  const live = input.tokens.filter((token) => !isOver(token, input.now));
  const over = input.tokens.filter((token) => isOver(token, input.now));
  return {
    title: "API tokens",
    shape: "settings",
    main: html`<h1>API tokens</h1>
<p class="lead">A token lets an app work in <strong><bdi>${input.workspaceName}</bdi></strong> on your behalf. See the <a href="/api-docs">API reference</a> for what it can do.</p>
<div class="columns columns-wide-left">
<section class="card" aria-labelledby="tokens"><h2 id="tokens">Your tokens</h2>
${live.length > 0 ? html`<ul class="rows">${live.map((token) => tokenRow(token, input))}</ul>` : html`<p class="empty">No tokens yet.</p>`}
${over.length > 0 && html`<details class="more"><summary>${over.length} no longer valid</summary><ul class="rows">${over.map((token) => tokenRow(token, input))}</ul></details>`}
</section>
<section class="card" aria-labelledby="new-token"><h2 id="new-token">New token</h2>
${wrong(input.form.wrong)}
${form("/account/tokens", input.formToken, newTokenFields(input), "token-form")}</section>
</div>
${input.others.length > 0 && othersTokens(input)}`,
  };
}

/** Owners see and revoke all tokens in their workspace. */
const othersTokens = (input: Tokens): Part => {
  const live = input.others.filter((token) => !isOver(token, input.now));
  return html`<section class="card" aria-labelledby="others-tokens"><h2 id="others-tokens">Tokens of other members</h2>
${live.length > 0 ? html`<ul class="rows">${live.map((token) => tokenRow(token, input, token.holder))}</ul>` : html`<p class="empty">No active tokens.</p>`}</section>`;
};

const isOver = (token: TokenItem, now: number): boolean =>
  token.revokedAt !== null || (token.expiresAt !== null && token.expiresAt <= now);

const accessName = (token: TokenItem): string => {
  const name = { read_only: "read-only", suggest: "suggest", read_write: "read-write" }[token.access];
  const limits = [token.isPartial && "chosen scopes", token.isBound && "chosen knowledge bases"].filter(Boolean);
  return [name, ...limits].join(", ");
};

function tokenRow(token: TokenItem, { formToken, now }: Tokens, holder?: string): Part {
  const over = isOver(token, now);
  return html`<li class="row">
<div class="row-main"><p class="row-title"><bdi>${token.name}</bdi> <span class="tag">${accessName(token)}</span></p>
<p class="row-facts">${holder !== undefined && html`<span>Owned by <bdi>${holder}</bdi></span>`}${facts(token, now).map((fact) => html`<span>${fact}</span>`)}</p>
${token.isPartial && html`<p class="row-facts">${token.scopes.map((scope) => html`<code>${scope}</code> `)}</p>`}</div>
${
  !over &&
  confirm(
    "Revoke",
    "Apps that use it lose access at once. This cannot be undone.",
    form(
      "/account/tokens/revoke",
      formToken,
      html`<button class="button button-danger" name="token" value="${token.id}">Revoke token</button>`,
    ),
  )
}</li>`;
}

function facts(token: TokenItem, now: number): Part[] {
  return [
    html`Created ${time(token.createdAt, now)}`,
    token.lastUsedAt === null ? "Never used" : html`Used ${time(token.lastUsedAt, now)}`,
    token.lastClient !== null && html`by <bdi>${token.lastClient}</bdi>`,
    ending(token, now),
  ].filter(Boolean);
}

function ending(token: TokenItem, now: number): Part {
  if (token.revokedAt !== null) return html`Revoked ${time(token.revokedAt, now)}`;
  if (token.expiresAt === null) return "No expiry";
  return token.expiresAt <= now
    ? html`Expired ${time(token.expiresAt, now)}`
    : html`Expires ${time(token.expiresAt, now)}`;
}

function newTokenFields({ form: typed, scopes, bases, canWrite }: Tokens): Part {
  return [
    field({
      name: "name",
      label: "Name",
      value: typed.name,
      maxLength: 100,
      autocomplete: "off",
      hint: "For example “backup script”.",
    }),
    html`<fieldset class="field choices"><legend>Access</legend>
${choice("access", "read_only", "Read-only", "Sees everything, changes nothing", typed.access)}
${choice("access", "suggest", "Suggest", "Reads, comments, and proposes changes for people to accept", typed.access)}
${canWrite && choice("access", "read_write", "Read-write", "Everything you can do", typed.access)}
${choice("access", "chosen", "Chosen scopes", "Only what you tick", typed.access)}
</fieldset>`,
    html`<fieldset class="field scopes"><legend>Scopes</legend>${scopes.map(
      (scope) =>
        html`<label class="tick"><input type="checkbox" name="scope" value="${scope}" ${typed.scopes.includes(scope) && html`checked`}><code>${scope}</code></label>`,
    )}</fieldset>`,
    bases.length > 0 &&
      html`<details class="more" ${typed.bases.length > 0 && html`open`}><summary>Only some knowledge bases</summary>
<fieldset class="field"><legend>Only the ones you tick; all of yours if you tick none</legend>${bases.map(
        ({ id, name }) =>
          html`<label class="tick"><input type="checkbox" name="base" value="${id}" ${typed.bases.includes(id) && html`checked`}><bdi>${name}</bdi></label>`,
      )}</fieldset></details>`,
    html`<div class="field"><label for="days">Expires after</label><select id="days" name="days">${lifetimes.map(
      ({ days, label }) => html`<option value="${days}" ${days === typed.days && html`selected`}>${label}</option>`,
    )}</select></div>`,
    html`<button class="button button-main">Create token</button>`,
  ];
}

const choice = (name: string, value: string, label: string, meaning: string, chosen: string): Part =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}" ${value === chosen && html`checked`}><span><strong>${label}</strong><small>${meaning}</small></span></label>`;

/** The only page that shows the value. */
export const newTokenPage = (input: {
  readonly name: string;
  readonly token: string;
  readonly baseUrl: string;
}): Page => ({
  title: "New token",
  shape: "settings",
  main: html`<h1>Your new token</h1>
<section class="card" aria-labelledby="take">
<h2 id="take"><bdi>${input.name}</bdi></h2>
<p class="banner banner-care">Copy it now and keep it safe: it is not shown again.</p>
${copyable("token", "Token", input.token)}
${copyable("curl", "Try it", `curl -H "Authorization: Bearer ${input.token}" ${input.baseUrl}/api/v1/me`)}
<p><a class="button button-main" href="/account/tokens">Done</a></p>
</section>`,
});
