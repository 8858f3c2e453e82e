import { html, type Part } from "../../../shared/html.ts";
import type { Look } from "../../../shared/look.ts";
import type { Page } from "../../../shared/page.ts";
import { form } from "../../../shared/parts.ts";
import { avatar } from "../../avatar.ts";

interface Settings {
  readonly look: Look;
  readonly zones: readonly string[];
  readonly name: string;
  readonly picture: string | undefined;
  readonly formToken: string;
}

const themes = { system: "System", light: "Light", dark: "Dark" } as const;
const dateForms = { words: "16 Nov 2026, 14:05", iso: "2026-11-16 14:05" } as const;

const radios = (name: string, legend: string, options: Readonly<Record<string, string>>, chosen: string): Part =>
  html`<fieldset class="field"><legend>${legend}</legend>${Object.entries(options).map(
    ([value, label]) =>
      html`<label class="tick"><input type="radio" name="${name}" value="${value}" ${value === chosen && html`checked`}> ${label}</label>`,
  )}</fieldset>`;

const picturePart = ({ name, picture, formToken }: Settings): Part =>
  html`<section class="card" aria-labelledby="picture"><h2 id="picture">Picture</h2><p class="hint">Shown beside your name to everybody in your workspaces.</p>
<div class="picture-line">${avatar(name, picture)}<label class="button upload" hidden>Choose a picture<input class="visually-hidden" type="file" accept="image/png,image/jpeg,image/webp" data-picture></label>${picture && form("/settings/picture/remove", formToken, html`<button class="button">Remove</button>`)}</div>
<noscript><p class="hint">Choosing a picture needs scripts; <code>svc picture</code> does it too.</p></noscript></section>`;

export const settingsPage = (input: Settings): Page => ({
  title: "Settings",
  shape: "settings",
  scripts: ["islands/picture.js"],
  main: html`<h1>Settings</h1>
<div class="columns">
<section class="card" aria-labelledby="look"><h2 id="look">Appearance</h2><p class="hint">Saved in this browser.</p>
${form(
  "/settings",
  input.formToken,
  html`${radios("theme", "Theme", themes, input.look.theme)}
<div class="field"><label for="zone">Time zone</label><select id="zone" name="zone"><option value="">Browser default</option>${input.zones.map((zone) => html`<option ${zone === input.look.zone && html`selected`}>${zone}</option>`)}</select></div>
${radios("dates", "Dates", dateForms, input.look.dates)}
<button class="button button-main">Save</button>`,
)}</section>
<div class="stack">${picturePart(input)}</div></div>`,
});
