import { element } from "../islands/common/element.ts";

let made = 0;

/** Says at a field what is wrong with it, until something in its form is changed. */
export function complain(input: HTMLInputElement, text: string): void {
  if (input.hasAttribute("aria-invalid")) return;
  const words = element("p", { class: "wrong", id: `wrong-${++made}` }, text);
  const hint = input.getAttribute("aria-describedby");
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", hint === null ? words.id : `${words.id} ${hint}`);
  input.closest(".property-row, .field")?.append(words);
  const forget = () => {
    words.remove();
    input.removeAttribute("aria-invalid");
    if (hint === null) input.removeAttribute("aria-describedby");
    else input.setAttribute("aria-describedby", hint);
  };
  input.closest("form")?.addEventListener("input", forget, { once: true });
}
