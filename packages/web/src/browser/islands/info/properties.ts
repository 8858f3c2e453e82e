/** Edits the properties of a page where they are shown: a press on a value makes it a field of its type. */
import { defined } from "@svc/document/defined";
import { ApiError } from "@svc/sdk";
import { api, explain } from "../common/api.ts";
import { element } from "../common/element.ts";
import { toast } from "../common/toast.ts";
import {
  emptyValue,
  fieldOf,
  linkOf,
  type Properties,
  shown,
  TYPES,
  type Type,
  typeOf,
  type Value,
  valueIn,
} from "./property-types.ts";

/** Properties that the page displays itself. */
const OWN: readonly string[] = ["icon", "full_width"];

const typeNames: Readonly<Record<Type, string>> = {
  text: "Text",
  number: "Number",
  date: "Date",
  checkbox: "Checkbox",
  list: "List",
};

class PropertyList {
  readonly #id: string;
  readonly #list: HTMLElement;
  #properties: Properties = {};
  #version = "";

  constructor(section: HTMLElement, id: string) {
    this.#id = id;
    this.#list = defined(section.querySelector("dl"));
    section.append(this.#addForm());
  }

  async load(): Promise<void> {
    const { data } = await api.get("/documents/{id}/properties", { path: { id: this.#id } });
    this.#properties = data.properties;
    this.#version = data.version;
    this.#show();
  }

  #show(): void {
    const rows = Object.entries(this.#properties).filter(([name]) => !OWN.includes(name));
    this.#list.replaceChildren(...rows.flatMap(([name, value]) => this.#row(name, value)));
  }

  #row(name: string, value: Value): [HTMLElement, HTMLElement] {
    const place = element("dd");
    this.#rest(place, name, value);
    return [element("dt", {}, element("bdi", {}, name)), place];
  }

  /** The value as it is read. A checkbox is changed at once. */
  #rest(place: HTMLElement, name: string, value: Value): void {
    const type = typeOf(value);
    if (type === "checkbox") {
      const box = fieldOf(type, name, value);
      box.addEventListener("change", () => void this.#set(name, box.checked));
      place.replaceChildren(box, this.#removeButton(name));
      return;
    }
    if (type === undefined) {
      place.replaceChildren(...shown(value));
      return;
    }
    const address = linkOf(value);
    const label = element("span", { class: "visually-hidden" }, `Edit ${name}: `);
    const button = element(
      "button",
      { type: "button", class: "property-value" },
      label,
      ...(address ? ["Edit"] : shown(value)),
    );
    button.addEventListener("click", () => this.#edit(place, name, value, type));
    place.replaceChildren(...(address ? [address] : []), button, this.#removeButton(name));
  }

  #edit(place: HTMLElement, name: string, before: Value, type: Type): void {
    const field = fieldOf(type, name, before);
    let isOver = false;
    const end = (isKept: boolean) => {
      if (isOver) return;
      isOver = true;
      const value = isKept ? valueIn(type, field) : before;
      if (value === undefined) toast("Enter a number.");
      const isNew = value !== undefined && JSON.stringify(value) !== JSON.stringify(before);
      if (isNew) void this.#set(name, value);
      this.#rest(place, name, isNew ? value : before);
      if (document.activeElement === document.body) place.querySelector("button")?.focus();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      end(event.key === "Enter");
    });
    field.addEventListener("blur", () => end(true));
    place.replaceChildren(field);
    field.focus();
    if (type !== "date") field.select();
  }

  #removeButton(name: string): HTMLElement {
    const button = element(
      "button",
      { type: "button", class: "icon-button property-remove", "aria-label": `Remove ${name}`, title: "Remove" },
      "×",
    );
    button.addEventListener("click", () => {
      const before = this.#properties[name];
      const { [name]: _gone, ...rest } = this.#properties;
      void this.#save(rest).then((isSaved) => {
        if (isSaved && before !== undefined)
          toast(`Removed “${name}”.`, async () => void (await this.#set(name, before)));
      });
    });
    return button;
  }

  #set(name: string, value: Value): Promise<boolean> {
    return this.#save({ ...this.#properties, [name]: value });
  }

  /** Saves all of them; if somebody else was faster, shows theirs. */
  async #save(properties: Properties): Promise<boolean> {
    try {
      const options = { path: { id: this.#id }, body: { properties }, ifMatch: this.#version };
      const { data } = await api.put("/documents/{id}/properties", options);
      this.#properties = data.properties;
      this.#version = data.version;
      this.#show();
      return true;
    } catch (error) {
      const isOlder = error instanceof ApiError && error.status === 409;
      toast(isOlder ? "Someone else changed the properties. They are shown now; change yours again." : explain(error));
      await this.load().catch(() => this.#show());
      return false;
    }
  }

  #addForm(): HTMLElement {
    const name = element("input", { "aria-label": "Name", placeholder: "Name", maxlength: 200, required: true });
    const type = element(
      "select",
      { "aria-label": "Type" },
      ...TYPES.map((one) => element("option", { value: one }, typeNames[one])),
    );
    const form = element(
      "form",
      { class: "property-add" },
      name,
      type,
      element("button", { class: "button button-small" }, "Add"),
    );
    const details = element("details", {}, element("summary", { class: "link-button" }, "Add a property"), form);
    details.addEventListener("toggle", () => details.open && name.focus());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const wanted = name.value.trim();
      const chosen = TYPES.find((one) => one === type.value) ?? "text";
      if (wanted === "" || OWN.includes(wanted) || wanted in this.#properties) {
        toast(wanted === "" ? "Enter a name." : `There is a property “${wanted}” already.`);
        return;
      }
      form.reset();
      details.open = false;
      this.#add(wanted, chosen);
    });
    return details;
  }

  #add(name: string, type: Type): void {
    if (type === "checkbox") {
      void this.#set(name, false);
      return;
    }
    const [title, place] = this.#row(name, emptyValue[type]);
    this.#list.append(title, place);
    this.#edit(place, name, type === "number" ? "" : emptyValue[type], type);
  }
}

/** Makes the properties editable; called when they are first shown. */
export async function startProperties(): Promise<void> {
  const section = document.querySelector<HTMLElement>("[data-properties]");
  if (!section) return;
  await new PropertyList(section, section.dataset.properties ?? "").load();
}
