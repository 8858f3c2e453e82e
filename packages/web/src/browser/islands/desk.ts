/**
 * Keyboard handling of the translation desk: accept and continue, use the machine translation. Answers load no new
 * page.
 */
import { toast } from "./common/toast.ts";

const desk = (): HTMLElement | null => document.querySelector("[data-desk]");
const fields = (): HTMLTextAreaElement[] => [...document.querySelectorAll<HTMLTextAreaElement>("[data-desk] textarea")];

/** Keeps unsent text when the list is loaded again. */
function keepTyped(fresh: Element): void {
  for (const field of fields()) {
    const unit = field.closest<HTMLElement>("[data-unit]")?.dataset.unit;
    const same = fresh.querySelector<HTMLTextAreaElement>(`[data-unit="${unit}"] textarea`);
    if (same && field.value !== field.defaultValue) same.value = field.value;
  }
}

async function send(form: HTMLFormElement, answer: string): Promise<void> {
  const at = fields().findIndex((field) => form.contains(field));
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  body.set("answer", answer);
  const reply = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
  const page = reply && new DOMParser().parseFromString(await reply.text(), "text/html");
  const fresh = page?.querySelector("[data-desk]");
  if (!fresh) return toast("Something went wrong. Reload the page and try again.");
  form.querySelector("textarea")?.remove();
  keepTyped(fresh);
  desk()?.replaceChildren(...fresh.childNodes);
  const left = fields();
  (left[at] ?? left.at(-1))?.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (!(form instanceof HTMLFormElement) || !form.closest("[data-desk]") || !(button instanceof HTMLButtonElement))
    return;
  event.preventDefault();
  send(form, button.value);
});

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement) || event.key !== "Enter" || !field.form?.closest("[data-desk]")) return;
  if (event.ctrlKey || event.metaKey) send(field.form, "accept");
  else if (event.altKey) {
    const proposal = new FormData(field.form).get("proposal");
    if (proposal) field.value = String(proposal);
  } else return;
  event.preventDefault();
});
document.documentElement.setAttribute("data-desk-ready", "");
