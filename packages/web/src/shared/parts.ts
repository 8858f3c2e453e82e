import { type Html, html, type Part } from "./html.ts";
import type { Role } from "./page.ts";

/** Every form that changes something: posts to us and carries the token that proves it came from us. */
export const form = (action: string, formToken: string, content: Part, className = ""): Html =>
  html`<form method="post" action="${action}" class="${className}"><input type="hidden" name="form_token" value="${formToken}">${content}</form>`;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "search";
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly autofocus?: boolean;
}

/** A labelled input with its hint and last error. */
export function field(spec: Field): Html {
  const notes = [spec.hint && `${spec.name}-hint`, spec.error && `${spec.name}-error`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${spec.name}">${spec.label}</label>
<input id="${spec.name}" name="${spec.name}" type="${spec.type ?? "text"}" value="${spec.value}"
 ${attribute("autocomplete", spec.autocomplete)} ${attribute("aria-describedby", notes)} ${attribute("minlength", spec.minLength)} ${attribute("maxlength", spec.maxLength)}
 ${spec.required !== false && html`required`} ${spec.autofocus && html`autofocus`} ${spec.error && html`aria-invalid="true"`}>
${spec.hint && html`<p class="hint" id="${spec.name}-hint">${spec.hint}</p>`}
${spec.error && html`<p class="wrong" id="${spec.name}-error">${spec.error}</p>`}
</div>`;
}

const attribute = (name: string, value: string | number | undefined): Part =>
  value !== undefined && value !== "" && html`${name}="${value}"`;

export const wrong = (message: string | undefined): Part =>
  message !== undefined && html`<p class="banner banner-wrong" role="alert">${message}</p>`;

/** A second step before something that cannot be taken back, without a script. */
export const confirm = (label: string, question: string, action: Html): Html =>
  html`<details class="confirm"><summary class="button button-small">${label}</summary><div class="confirm-box"><p>${question}</p>${action}</div></details>`;

/** A value with a button that copies it. */
export const copyable = (id: string, label: string, value: string): Html =>
  html`<div class="copyable"><p class="copyable-label" id="${id}-label">${label}</p><div class="copyable-row"><code id="${id}" tabindex="0" aria-labelledby="${id}-label" role="textbox" aria-readonly="true">${value}</code><button type="button" class="button" data-copy="${id}" hidden>Copy</button></div></div>`;

const roleNames: Record<Role, string> = { owner: "Owner", editor: "Editor", viewer: "Viewer" };
export const roleName = (role: Role): string => roleNames[role];

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const UNITS = ["KB", "MB", "GB"];

/** `6 bytes`, `1.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  const step = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** step;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[step - 1]}`;
}

/** Makes the title beside it a field; for the frame's script. */
export const renameButton = html`<button type="button" class="title-edit with-script" data-rename-button title="Rename">Rename</button>`;
