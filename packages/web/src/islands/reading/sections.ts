import { element } from "../shell/element.ts";

const levelOf = (block: Element): number => Number(/^H([1-6])$/.exec(block.firstElementChild?.tagName ?? "")?.[1] ?? 7);

/** The blocks below a heading, up to the next one of its level or a higher. */
function belowOf(heading: Element): HTMLElement[] {
  const below: HTMLElement[] = [];
  const level = levelOf(heading);
  for (let next = heading.nextElementSibling; next && levelOf(next) > level; next = next.nextElementSibling)
    if (next instanceof HTMLElement) below.push(next);
  return below;
}

/** Sections that the document keeps folded are closed until the reader opens them. */
export function startSections(): void {
  const article = document.querySelector<HTMLElement>(".prose[data-collapsed]");
  const wanted = location.hash.slice(1);
  const ids: string[] = JSON.parse(article?.dataset.collapsed ?? "[]");
  for (const id of ids) {
    const heading = document.getElementById(id);
    const below = heading ? belowOf(heading) : [];
    if (!heading?.firstElementChild || levelOf(heading) === 7 || below.length === 0) continue;
    // A link leads into it.
    const leadsTo = wanted === "" ? null : document.getElementById(wanted);
    const isWanted = below.some((block) => block.contains(leadsTo));
    fold(heading.firstElementChild, below, isWanted);
  }
}

function fold(heading: Element, below: readonly HTMLElement[], isOpen: boolean): void {
  const button = element("button", { type: "button", class: "section-fold" }, "…");
  const show = (isShown: boolean) => {
    button.setAttribute("aria-expanded", String(isShown));
    button.setAttribute("aria-label", isShown ? "Fold the section" : "Unfold the section");
    for (const block of below) block.hidden = !isShown;
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") === "false"));
  show(isOpen);
  heading.append(button);
}
