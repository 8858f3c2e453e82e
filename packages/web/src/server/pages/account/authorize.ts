import { html, type Part } from "../../../shared/html.ts";
import type { Named, Page, Workspace } from "../../../shared/page.ts";
import { form, wrong } from "../../../shared/parts.ts";

interface Consent {
  readonly formToken: string;
  /** The program's request as it came; the answer is checked against it again. */
  readonly request: string;
  readonly clientName: string;
  readonly clientUri: string | null;
  /** The site that describes the program; null when it registered itself. */
  readonly site: string | null;
  /** The redirect target. */
  readonly leadsTo: string;
  /** True if a program on the person's own computer gets the answer, whichever program listens there. */
  readonly isOnOwnMachine: boolean;
  readonly scopes: readonly string[];
  readonly asksToWrite: boolean;
  /** Whether it may be approved to suggest changes only. */
  readonly canSuggest: boolean;
  /** Whether any scope remains without writing. */
  readonly canOnlyRead: boolean;
  readonly person: string;
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  /** The knowledge bases to choose from, by workspace. */
  readonly bases: readonly {
    readonly workspace: { readonly id: string; readonly name: string };
    readonly bases: readonly Named[];
  }[];
  readonly wrong?: string | undefined;
}

const meanings: Readonly<Record<string, string>> = {
  "documents:read": "Read all documents",
  "documents:write": "Create, change and delete documents",
  "knowledge-bases:read": "See knowledge bases and folders",
  "knowledge-bases:write": "Create, change and delete knowledge bases and folders",
  "attachments:read": "Download attachments",
  "attachments:write": "Upload and delete attachments",
  "concepts:read": "See concepts",
  "concepts:write": "Create and change concepts",
  "documents:suggest": "Propose changes and comment; people decide about them",
  "summaries:generate": "Have summaries written by the configured model, which may cost money",
};

/** The consent page: the program's request, its description of itself, and the possible answers. */
export const authorizePage = (input: Consent): Page => ({
  title: "Connect an app",
  shape: "narrow",
  main: html`<section class="card card-entry">
<h1>An app wants to connect</h1>
<p class="fact"><span>Name</span> <bdi class="client-name">${input.clientName}</bdi></p>
${input.site !== null ? html`<p class="fact"><span>Described by</span> <bdi>${input.site}</bdi></p>` : html`<p class="hint">Apps choose their own names, so this name proves nothing.</p>`}
${input.clientUri !== null && html`<p class="fact"><span>Website</span> <bdi>${input.clientUri}</bdi></p>`}
<p class="fact"><span>The answer goes to</span> <bdi>${input.leadsTo}</bdi></p>
${input.isOnOwnMachine && html`<p class="banner banner-care">The answer stays on this computer, where any app can pretend to be another. Approve only a request that you have just started.</p>`}
${wrong(input.wrong)}
<p class="lead">Continue only if you have just started this yourself.</p>
${form("/oauth/authorize", input.formToken, [
  html`<input type="hidden" name="request" value="${input.request}">`,
  workspaceChoice(input),
  baseChoice(input),
  html`<p class="asks-title">It wants to</p><ul class="asks">${input.scopes.map((scope) => html`<li>${meanings[scope] ?? scope}</li>`)}</ul>`,
  answers(input),
])}
<p class="aside">You are signed in as <bdi>${input.person}</bdi>. You can disconnect the app on your account page at any time.</p>
</section>`,
});

const workspaceChoice = ({ workspaces, workspace }: Consent): Part =>
  workspaces.length > 1
    ? html`<div class="field"><label for="workspace">In the workspace</label><select id="workspace" name="workspace">${workspaces.map(
        ({ id, name }) => html`<option value="${id}" ${id === workspace.id && html`selected`}>${name}</option>`,
      )}</select></div>`
    : html`<p class="fact"><span>In the workspace</span> <bdi>${workspace.name}</bdi></p><input type="hidden" name="workspace" value="${workspace.id}">`;

/** Without a tick the program reaches everything that the person can. */
const baseChoice = ({ bases }: Consent): Part =>
  bases.some((one) => one.bases.length > 0) &&
  html`<p class="fact"><span>In the knowledge bases</span> all that you can see, unless you tick some</p><details class="more"><summary>Only some knowledge bases</summary>${bases
    .filter((one) => one.bases.length > 0)
    .map(
      (one) =>
        html`<fieldset class="field"><legend>${bases.length > 1 ? one.workspace.name : "Only the ones you tick"}</legend>${one.bases.map(({ id, name }) => html`<label class="tick"><input type="checkbox" name="base" value="${id}"><bdi>${name}</bdi></label>`)}</fieldset>`,
    )}</details>`;

const answers = ({ asksToWrite, canSuggest, canOnlyRead }: Consent): Part => html`<div class="answers">
${asksToWrite && html`<button class="button button-main" name="answer" value="approve">Approve</button>`}
${canSuggest && html`<button class="button ${asksToWrite ? "" : "button-main"}" name="answer" value="approve_suggest">Approve to suggest</button>`}
${canOnlyRead && html`<button class="button ${asksToWrite || canSuggest ? "" : "button-main"}" name="answer" value="approve_read_only">Approve read-only</button>`}
<button class="button button-quiet" name="answer" value="deny">Deny</button>
</div>`;
