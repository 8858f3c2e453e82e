import { html, type Part } from "../../html.ts";
import type { Look } from "../../look.ts";
import type { Page } from "../../page.ts";
import { form } from "../../parts.ts";

interface Settings {
  readonly look: Look;
  readonly zones: readonly string[];
  readonly formToken: string;
}

const themes = { system: "As the system has it", light: "Light", dark: "Dark" } as const;
const dateForms = { words: "16 Nov 2026, 14:05", iso: "2026-11-16 14:05" } as const;

const radios = (name: string, legend: string, options: Readonly<Record<string, string>>, chosen: string): Part =>
  html`<fieldset class="field"><legend>${legend}</legend>${Object.entries(options).map(
    ([value, label]) =>
      html`<label class="tick"><input type="radio" name="${name}" value="${value}" ${value === chosen && html`checked`}> ${label}</label>`,
  )}</fieldset>`;

export const settingsPage = ({ look, zones, formToken }: Settings): Page => ({
  title: "Settings",
  main: html`<h1>Settings</h1>
<div class="columns">
<section class="card" aria-labelledby="look"><h2 id="look">Appearance</h2><p class="hint">Kept in this browser.</p>
${form(
  "/settings",
  formToken,
  html`${radios("theme", "Theme", themes, look.theme)}
<div class="field"><label for="zone">Time zone</label><select id="zone" name="zone"><option value="">The browser's own</option>${zones.map((zone) => html`<option ${zone === look.zone && html`selected`}>${zone}</option>`)}</select></div>
${radios("dates", "Dates", dateForms, look.dates)}
<button class="button button-main">Save</button>`,
)}</section>
<section class="card" aria-labelledby="more"><h2 id="more">More</h2><ul class="plain">
<li><a href="/account">Name, password and sessions</a></li>
<li><a href="/account/tokens">API management</a></li>
<li><button type="button" class="button button-small" data-keys>Keyboard help</button></li>
</ul></section></div>`,
});
