import { html, type Part } from "../../../shared/html.ts";
import type { Page, Workspace } from "../../../shared/page.ts";
import { form, wrong } from "../../../shared/parts.ts";
import { time } from "../../time.ts";

/** The page to enter the code on. */
export const deviceCodePage = (input: { readonly typed?: string; readonly wrong?: string | undefined }): Page => ({
  title: "Connect a device",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>Connect a device</h1>
<p class="lead">Type the code that the app shows you.</p>
${wrong(input.wrong)}
<form method="get" action="/device">
<div class="field"><label for="code">Code</label>
<input id="code" name="code" class="code-input" value="${input.typed}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="BCDF-GHJK" required autofocus ${input.wrong && html`aria-invalid="true"`}></div>
<button class="button button-main button-full">Continue</button>
</form>
</section>`,
});

interface Confirmation {
  readonly formToken: string;
  readonly code: string;
  readonly clientName: string;
  /** The address the request came from; null if unknown. */
  readonly address: string | null;
  readonly asksToWrite: boolean;
  /** The scopes it gets when approved. */
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly now: number;
  readonly tokenDays: number;
  readonly person: string;
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
}

const inWords: Readonly<Record<string, string>> = {
  "documents:read": "Read documents",
  "documents:write": "Create, change and delete documents",
  "knowledge-bases:read": "Read knowledge bases and folders",
  "knowledge-bases:write": "Create, change and delete knowledge bases and folders",
  "attachments:read": "Read attachments",
  "attachments:write": "Add and delete attachments",
  "concepts:read": "Read concepts",
  "concepts:write": "Create and change concepts",
  "summaries:generate": "Have summaries written by a model, which may cost money",
};

/** If no scope can be granted, says so. */
const points = (scopes: readonly string[]): readonly string[] =>
  scopes.length > 0 ? scopes.map((scope) => inWords[scope] ?? scope) : ["Nothing that you may grant"];

/** The request of a program, and the three answers. */
export const devicePage = (input: Confirmation): Page => ({
  title: "Connect a device",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>An app wants to connect</h1>
<p class="fact"><span>Name</span> <bdi class="client-name">${input.clientName}</bdi></p>
${input.address !== null && html`<p class="fact"><span>Requested from</span> <bdi>${input.address}</bdi></p>`}
<p class="hint">Apps choose their own names, so this name proves nothing.</p>
<p class="device-code" aria-label="Code ${[...input.code].join(" ")}">${input.code}</p>
<p class="lead">Continue only if your own screen shows this exact code and you started this yourself.</p>
${form("/device", input.formToken, [
  html`<input type="hidden" name="code" value="${input.code}">`,
  workspaceChoice(input),
  html`<p class="asks-title">It wants to</p><ul class="asks">${points(input.scopes).map((point) => html`<li>${point}</li>`)}</ul>`,
  answers(input),
])}
<p class="aside">You are signed in as <bdi>${input.person}</bdi>. Access lasts ${input.tokenDays} days and can be revoked in API tokens. The code expires ${time(input.expiresAt, input.now)}.</p>
</section>`,
});

const workspaceChoice = ({ workspaces, workspace }: Confirmation): Part =>
  workspaces.length > 1
    ? html`<div class="field"><label for="workspace">In the workspace</label><select id="workspace" name="workspace">${workspaces.map(
        ({ id, name }) => html`<option value="${id}" ${id === workspace.id && html`selected`}>${name}</option>`,
      )}</select></div>`
    : html`<p class="fact"><span>In the workspace</span> <bdi>${workspace.name}</bdi></p><input type="hidden" name="workspace" value="${workspace.id}">`;

const answers = ({ asksToWrite }: Confirmation): Part => html`<div class="answers">
${asksToWrite && html`<button class="button button-main" name="answer" value="approve">Approve</button>`}
<button class="button ${asksToWrite ? "" : "button-main"}" name="answer" value="approve_read_only">Approve read-only</button>
<button class="button button-quiet" name="answer" value="deny">Deny</button>
</div>`;

export const deviceDonePage = (input: { readonly clientName: string; readonly approved: boolean }): Page => ({
  title: input.approved ? "Device connected" : "Request denied",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>${input.approved ? "Connected" : "Denied"}</h1>
<p class="lead">${
    input.approved
      ? html`The app that calls itself <bdi>${input.clientName}</bdi> may now work on your behalf. You can close this window.`
      : html`The app that calls itself <bdi>${input.clientName}</bdi> gets no access. You can close this window.`
  }</p>
<p><a class="button button-full" href="/account/tokens">API tokens</a></p>
</section>`,
});
