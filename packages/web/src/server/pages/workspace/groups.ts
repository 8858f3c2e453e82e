import { html, type Part } from "../../../shared/html.ts";
import type { Page } from "../../../shared/page.ts";
import { confirm, field, form, plural, wrong } from "../../../shared/parts.ts";

interface Person {
  readonly id: string;
  readonly name: string;
}

interface Group {
  readonly id: string;
  readonly name: string;
  readonly members: readonly Person[];
}

interface Groups {
  readonly formToken: string;
  readonly canManage: boolean;
  readonly groups: readonly Group[];
  readonly members: readonly Person[];
  readonly wrong?: string | undefined;
}

export const groupsPage = (input: Groups): Page => ({
  title: "Groups",
  shape: "settings",
  scripts: ["people.js"],
  main: html`<nav aria-label="Path"><ol class="trail"><li><a href="/members">Members</a></li></ol></nav>
<h1>Groups</h1>
<p class="lead">A group of members can be given a role in a knowledge base, on its Access page.</p>
${wrong(input.wrong)}
<div class="${input.canManage ? "columns columns-wide-left" : ""}">
<section class="card" aria-labelledby="groups"><h2 id="groups">All groups</h2>
${input.groups.length === 0 ? html`<p class="empty">There are no groups yet.</p>` : html`<ul class="rows">${input.groups.map((group) => groupRow(group, input))}</ul>`}</section>
${input.canManage && newGroup(input)}
</div>`,
});

const newGroup = ({ formToken }: Groups): Part =>
  html`<section class="card" aria-labelledby="new-group"><h2 id="new-group">New group</h2>${form("/groups", formToken, [
    field({ name: "name", label: "Name", maxLength: 500, autocomplete: "off" }),
    html`<button class="button button-main">Create group</button>`,
  ])}</section>`;

const groupRow = (group: Group, input: Groups): Part => html`<li class="row" id="${group.id}"><div class="row-main">
<h3 class="row-title"><bdi>${group.name}</bdi></h3>
<p class="row-facts"><span>${plural(group.members.length, "member")}</span></p>
${group.members.length > 0 && html`<ul class="plain" data-people="${group.name}">${group.members.map((person) => memberLine(person, group, input))}</ul>`}
${input.canManage && manage(group, input)}</div></li>`;

const memberLine = (person: Person, group: Group, { canManage, formToken }: Groups): Part =>
  html`<li class="name-line"><bdi>${person.name}</bdi>${
    canManage &&
    form(
      `/groups/${group.id}/remove`,
      formToken,
      html`<button class="button button-small" name="user" value="${person.id}" aria-label="Remove ${person.name} from ${group.name}">Remove</button>`,
    )
  }</li>`;

function manage(group: Group, { members, formToken }: Groups): Part {
  const inside = new Set(group.members.map(({ id }) => id));
  const others = members.filter(({ id }) => !inside.has(id));
  const add = html`<select name="user" aria-label="Member to add to ${group.name}">${others.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select><button class="button button-small">Add</button>`;
  const rename = html`<input name="name" value="${group.name}" maxlength="500" required autocomplete="off" aria-label="Name of ${group.name}"><button class="button button-small">Rename</button>`;
  return html`<div class="row-actions">${others.length > 0 && form(`/groups/${group.id}/add`, formToken, add, "inline-form")}
${form(`/groups/${group.id}/rename`, formToken, rename, "inline-form")}
${confirm(
  "Delete",
  "The roles that it had go with it.",
  form(
    `/groups/${group.id}/delete`,
    formToken,
    html`<button class="button button-danger">Delete ${group.name}</button>`,
  ),
)}</div>`;
}
