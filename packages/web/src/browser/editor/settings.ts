import { ApiError, type Document as SvcDocument } from "@svc/sdk";
import { isPageIcon } from "../../shared/page-icon.ts";
import { api, explain } from "../islands/common/api.ts";
import { element, icon } from "../islands/common/element.ts";
import { toast } from "../islands/common/toast.ts";
import { complain } from "./complain.ts";

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
type Properties = Readonly<Record<string, Value>>;

/** Properties that the page displays itself: an icon before its title, and full width. */
const ICON = "icon";
const FULL_WIDTH = "full_width";
/** Whether the form has a separate field for a property. */
const isOwn = (name: string, value: Value): boolean =>
  (name === ICON && typeof value === "string") || (name === FULL_WIDTH && typeof value === "boolean");

const backgrounds: readonly (readonly [name: string, colour: string])[] = [
  ["None", ""],
  ["Yellow", "#fff7d6"],
  ["Green", "#e8f5e6"],
  ["Blue", "#e6f0fa"],
  ["Pink", "#fbe9f1"],
  ["Grey", "#f1f2f1"],
];

/** A property as text: a list with commas, objects as JSON. */
const textOf = (value: Value): string => {
  if (Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes(",")))
    return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Parses a value with the property's previous type: a list stays a list, a number a number. */
function propertyValue(text: string, before: Value | undefined): Value {
  if (before !== undefined && textOf(before) === text) return before;
  if (Array.isArray(before))
    return text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  if (/^-?\d+(\.\d+)?$/.test(text) && typeof before !== "string") return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text;
}

const field = (label: string, input: HTMLElement, ...below: HTMLElement[]): HTMLElement =>
  element("div", { class: "field" }, element("label", { for: input.id }, label), input, ...below);
const check = (label: string, isOn: boolean) => {
  const input = element("input", { type: "checkbox", checked: isOn });
  return { input, row: element("label", { class: "field-check" }, input, label) };
};

/** A row of the form: editable name and value, and a button to remove it. */
function propertyRow(name: string, value: string): HTMLElement {
  const remove = element("button", { type: "button", class: "button button-small" }, "Remove");
  const row = element(
    "div",
    { class: "property-row" },
    element("input", { name: "name", value: name, maxlength: 200, "aria-label": "Name", placeholder: "Name" }),
    element("input", { name: "value", value, maxlength: 2000, "aria-label": "Value", placeholder: "Value" }),
    remove,
  );
  remove.addEventListener("click", () => row.remove());
  return row;
}

const inputOf = (row: Element, name: "name" | "value"): HTMLInputElement =>
  row.querySelector<HTMLInputElement>(`[name=${name}]`)!;
const read = (row: Element, name: "name" | "value"): string => inputOf(row, name).value.trim();

function readRows(rows: HTMLElement, before: Properties): Record<string, Value> {
  const named = [...rows.children].filter((row) => read(row, "name") !== "");
  return Object.fromEntries(
    named.map((row) => [read(row, "name"), propertyValue(read(row, "value"), before[read(row, "name")])]),
  );
}

/** The problems to fix before saving, each with its field. */
function problemsOf({ icon, wide, rows }: Form): (readonly [field: HTMLInputElement, text: string])[] {
  const sign = icon.value.trim();
  const problems: (readonly [HTMLInputElement, string])[] =
    sign === "" || isPageIcon(sign) ? [] : [[icon, "This is more than one character."]];
  const taken = new Set([...(sign === "" ? [] : [ICON]), ...(wide.checked ? [FULL_WIDTH] : [])]);
  for (const row of rows.children) {
    const name = read(row, "name");
    if (taken.has(name)) problems.push([inputOf(row, "name"), "There is another property with this name."]);
    else if (name === "" && read(row, "value") !== "") problems.push([inputOf(row, "name"), "Enter a name."]);
    if (name !== "") taken.add(name);
  }
  return problems;
}

/** Marks the problems and focuses the first; returns true if there are none. */
function isRight(form: Form): boolean {
  const problems = problemsOf(form);
  for (const [input, text] of problems) complain(input, text);
  problems[0]?.[0].focus();
  return problems.length === 0;
}

/** Updates the page with the new settings without reloading it. */
function show(
  settings: Pick<SvcDocument, "title" | "heading_numbered" | "background_color">,
  properties: Properties,
): void {
  document.querySelector(".ProseMirror")?.classList.toggle("numbered", settings.heading_numbered);
  const root = document.querySelector<HTMLElement>(".editor");
  root?.classList.toggle("coloured", Boolean(settings.background_color));
  root?.style.setProperty("--page-colour", settings.background_color ?? "");
  root?.classList.toggle("full-width", properties[FULL_WIDTH] === true);
  const title = document.querySelector<HTMLElement>("[data-title]");
  if (title) title.textContent = settings.title;
  showIcon(typeof properties[ICON] === "string" ? properties[ICON] : "");
}

function showIcon(sign: string): void {
  const heading = document.querySelector(".document-title");
  const old = heading?.querySelector(".page-icon, .icon");
  if (sign !== "") old?.replaceWith(element("span", { class: "page-icon", "aria-hidden": "true" }, sign));
  else if (old?.classList.contains("page-icon")) old.replaceWith(icon("document"));
}

async function save(id: string, form: Form, before: Loaded): Promise<void> {
  const settings = {
    title: form.title.value.trim() || before.document.title,
    heading_numbered: form.numbered.checked,
    background_color: form.background.value || null,
  };
  await api.patch("/documents/{id}", { path: { id }, body: settings });
  const properties = readRows(form.rows, before.properties);
  if (form.icon.value.trim() !== "") properties[ICON] = form.icon.value.trim();
  if (form.wide.checked) properties[FULL_WIDTH] = true;
  if (JSON.stringify(properties) !== JSON.stringify(before.properties))
    await api.put("/documents/{id}/properties", { path: { id }, body: { properties }, ifMatch: before.version });
  show(settings, properties);
}

interface Form {
  readonly title: HTMLInputElement;
  readonly icon: HTMLInputElement;
  readonly numbered: HTMLInputElement;
  readonly wide: HTMLInputElement;
  readonly background: HTMLSelectElement;
  readonly rows: HTMLElement;
}

interface Loaded {
  readonly document: SvcDocument;
  readonly properties: Properties;
  readonly version: string;
}

async function load(id: string): Promise<Loaded> {
  const [{ data: document }, { data }] = await Promise.all([
    api.get("/documents/{id}", { path: { id } }),
    api.get("/documents/{id}/properties", { path: { id } }),
  ]);
  return { document, properties: data.properties, version: data.version };
}

/** Opens the settings: title, icon, heading numbers, width, background and properties. */
export async function openSettings(id: string, back: () => void): Promise<void> {
  const loaded = await load(id).catch((error) => {
    toast(explain(error));
    return undefined;
  });
  if (!loaded) return;
  const { document: now, properties } = loaded;
  const others = Object.entries(properties).filter(([name, value]) => !isOwn(name, value));
  const rows = element(
    "div",
    { class: "property-rows" },
    ...others.map(([name, value]) => propertyRow(name, textOf(value))),
  );
  const numbered = check("Number the headings", now.heading_numbered);
  const wide = check("Full width", properties[FULL_WIDTH] === true);
  const colour = now.background_color ?? "";
  const known = backgrounds.some(([, value]) => value === colour)
    ? backgrounds
    : [...backgrounds, [colour, colour] as const];
  const form: Form = {
    title: element("input", { id: "page-title", value: now.title, maxlength: 500, required: true }),
    icon: element("input", {
      id: "page-icon",
      value: typeof properties[ICON] === "string" ? properties[ICON] : "",
      maxlength: 200,
      "aria-describedby": "page-icon-hint",
    }),
    numbered: numbered.input,
    wide: wide.input,
    background: element(
      "select",
      { id: "page-background" },
      ...known.map(([name, value]) => element("option", { value, selected: value === colour }, name)),
    ),
    rows,
  };
  const iconHint = element("p", { class: "hint", id: "page-icon-hint" }, "One emoji or one character.");
  const add = element("button", { type: "button", class: "button button-small" }, "Add a property");
  add.addEventListener("click", () => {
    const row = propertyRow("", "");
    rows.append(row);
    row.querySelector("input")?.focus();
  });
  const cancel = element("button", { type: "button", class: "button" }, "Cancel");
  const problem = element("p", { class: "wrong", role: "alert", hidden: true });
  const body = element(
    "form",
    { method: "dialog" },
    element("h2", { id: "page-settings-title" }, "Page settings"),
    field("Title", form.title),
    field("Icon", form.icon, iconHint),
    numbered.row,
    wide.row,
    field("Background", form.background),
    element("fieldset", {}, element("legend", {}, "Properties"), rows, add),
    problem,
    element("p", { class: "buttons" }, element("button", { class: "button button-main" }, "Save"), cancel),
  );
  const dialog = element("dialog", { class: "page-settings", "aria-labelledby": "page-settings-title" }, body);
  cancel.addEventListener("click", () => dialog.close());
  body.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isRight(form)) return;
    save(id, form, loaded).then(
      () => dialog.close(),
      (error) => {
        problem.hidden = false;
        problem.textContent =
          error instanceof ApiError && error.code === "version_conflict"
            ? "Somebody changed the properties meanwhile. Open the settings again to see them."
            : explain(error);
      },
    );
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    back();
  });
  document.body.append(dialog);
  dialog.showModal();
}
