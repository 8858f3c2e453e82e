import { html, type Part } from "../../../shared/html.ts";
import type { Named, Page } from "../../../shared/page.ts";
import { confirm, form, wrong } from "../../../shared/parts.ts";

export const baseRoles = ["none", "viewer", "commenter", "editor", "owner"] as const;
export type BaseRole = (typeof baseRoles)[number];

const names: Record<BaseRole, string> = {
  none: "No access",
  viewer: "Viewer",
  commenter: "Commenter",
  editor: "Editor",
  owner: "Owner",
};

interface Subject {
  readonly id: string;
  readonly name: string;
  /** Undefined if none is set. */
  readonly role: BaseRole | undefined;
}

interface Access {
  readonly formToken: string;
  readonly knowledgeBase: Named;
  /** The viewer's own role. */
  readonly ownRole: BaseRole;
  readonly canChange: boolean;
  /** The version that a save is based on. */
  readonly version: string;
  readonly defaultRole: BaseRole | null;
  /** Whether viewers may comment and suggest. */
  readonly viewersDiscuss: boolean;
  readonly members: readonly Subject[];
  readonly groups: readonly Subject[];
  /** Whether parts of it have public links. */
  readonly hasPublicLinks: boolean;
  readonly wrong?: string | undefined;
}

export const accessPage = (input: Access): Page => ({
  title: `Access to ${input.knowledgeBase.name}`,
  here: { baseId: input.knowledgeBase.id, folders: [] },
  scripts: ["people.js"],
  main: html`<nav aria-label="Path"><ol class="trail"><li><a href="/knowledge-bases">Knowledge bases</a></li><li><a href="/knowledge-bases/${input.knowledgeBase.id}"><bdi>${input.knowledgeBase.name}</bdi></a></li></ol></nav>
<h1>Access</h1>
<p class="lead">${whatCounts(input.ownRole)} People get the highest role from this list, their groups and the default. “No access” overrides all. Owners of the workspace are owners everywhere.</p>
${wrong(input.wrong)}
${
  input.hasPublicLinks &&
  html`<p class="banner banner-care">Parts of it are public: <a href="/public-links?base=${input.knowledgeBase.id}">public links</a> work for anyone who has them, regardless of these roles.</p>`
}
${input.canChange ? changeForm(input) : overview(input)}
${input.canChange && deletePart(input)}`,
});

/** Deleting cannot be undone, so the name must be typed. */
const deletePart = ({ knowledgeBase: { id, name }, formToken }: Access): Part =>
  html`<section class="card" aria-labelledby="delete"><h2 id="delete">Delete this knowledge base</h2>
<p class="hint">This permanently deletes all its pages, folders, files and concepts, including those in the trash.</p>${confirm(
    "Delete…",
    "Type its name to delete it.",
    form(
      `/knowledge-bases/${id}/delete`,
      formToken,
      html`<div class="field"><label for="confirm-name">Name of the knowledge base</label><input id="confirm-name" name="name" required autocomplete="off" placeholder="${name}"></div><button class="button button-danger">Delete permanently</button>`,
    ),
  )}</section>`;

const whatCounts = (role: BaseRole): Part => html`Your role here: <strong>${names[role]}</strong>.`;

const select = (name: string, label: string, chosen: BaseRole | undefined, empty: string): Part =>
  html`<select name="${name}" aria-label="${label}"><option value="">${empty}</option>${baseRoles.map((role) => html`<option value="${role}" ${role === chosen && html`selected`}>${names[role]}</option>`)}</select>`;

const changeForm = (input: Access): Part =>
  form(
    `/knowledge-bases/${input.knowledgeBase.id}/access`,
    input.formToken,
    html`<input type="hidden" name="version" value="${input.version}">
<section class="card" aria-labelledby="default"><h2 id="default">Everybody in the workspace</h2>
<p class="hint">“No access” makes the knowledge base private: only people listed below can see it.</p>
${select("default", "Role of everybody", input.defaultRole ?? undefined, "Their role in the workspace")}
<label class="tick"><input type="checkbox" name="viewers_discuss" value="1" ${input.viewersDiscuss && html`checked`}> Viewers may comment and suggest</label></section>
<div class="columns">${subjects("People", "member", input.members, "Nobody is a member.")}${subjects("Groups", "group", input.groups, "There are no groups yet.")}</div>
<p><button class="button button-main">Save access</button></p>`,
    "stack",
  );

const subjects = (title: string, kind: string, all: readonly Subject[], empty: string): Part =>
  html`<section class="card" aria-labelledby="${kind}s"><h2 id="${kind}s">${title}</h2>${
    all.length === 0
      ? html`<p class="empty">${empty}</p>`
      : html`<ul class="rows" data-people="${title.toLowerCase()}">${all.map(
          ({ id, name, role }) =>
            html`<li class="row"><div class="row-main"><p class="row-title"><bdi>${name}</bdi></p></div>${select(`${kind}:${id}`, `Role of ${name}`, role, "Default")}</li>`,
        )}</ul>`
  }</section>`;

const overview = (input: Access): Part => {
  const stated = [...input.members, ...input.groups].filter(({ role }) => role !== undefined);
  return html`<section class="card" aria-label="Roles"><ul class="rows">
<li class="row"><div class="row-main"><p class="row-title">Everybody in the workspace</p></div><span class="tag">${input.defaultRole === null ? "Their role in the workspace" : names[input.defaultRole]}</span></li>
<li class="row"><div class="row-main"><p class="row-title">Viewers</p></div><span class="tag">${input.viewersDiscuss ? "May comment and suggest" : "May only read"}</span></li>
${stated.map(({ name, role }) => html`<li class="row"><div class="row-main"><p class="row-title"><bdi>${name}</bdi></p></div><span class="tag">${role && names[role]}</span></li>`)}</ul></section>`;
};
