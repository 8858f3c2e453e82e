import { element } from "../common/element.ts";

const plural = (count: number): string => (count === 1 ? "1 change above" : `${count} changes above`);

/** A small button that counts the changed blocks above the window, and leads to the first of them. */
export function changesAbove(topOfText: () => number): { readonly add: (blocks: readonly HTMLElement[]) => void } {
  const button = element("button", { type: "button", class: "button button-small changes-above", hidden: true });
  const status = element("p", { class: "changes-above-place", role: "status" }, button);
  document.querySelector("main")?.append(status);
  let waiting: HTMLElement[] = [];
  const isAbove = (block: HTMLElement): boolean =>
    block.isConnected && block.getBoundingClientRect().bottom < topOfText();
  const show = () => {
    waiting = waiting.filter(isAbove);
    button.hidden = waiting.length === 0;
    if (waiting.length > 0) button.textContent = plural(waiting.length);
  };
  button.addEventListener("click", () => {
    const [first] = waiting.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
    first?.scrollIntoView({ block: "center" });
    for (const block of waiting) {
      block.classList.add("agent-changed");
      setTimeout(() => block.classList.remove("agent-changed"), 4000);
    }
    show();
  });
  addEventListener("scroll", () => waiting.length > 0 && show(), { passive: true });
  return {
    add: (blocks) => {
      waiting = [...waiting, ...blocks];
      show();
    },
  };
}
