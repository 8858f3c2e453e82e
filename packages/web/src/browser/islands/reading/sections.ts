import { element } from "../common/element.ts";

const levelOf = (block: Element): number => Number(/^H([1-6])$/.exec(block.firstElementChild?.tagName ?? "")?.[1] ?? 7);

/** The blocks below a heading, up to the next one of its level or a higher. */
function belowOf(blocks: readonly HTMLElement[], heading: HTMLElement): readonly HTMLElement[] {
  const first = blocks.indexOf(heading) + 1;
  const level = levelOf(heading);
  const next = blocks.findIndex((block, index) => index >= first && levelOf(block) <= level);
  return blocks.slice(first, next < 0 ? undefined : next);
}

/** Sections that the document keeps folded are closed until the reader opens them. */
export function startSections(): void {
  const article = document.querySelector<HTMLElement>(".prose[data-collapsed]");
  const wanted = location.hash.slice(1);
  // A long page has its blocks in stretches, so that they are not all beside each other.
  const blocks = [...(article?.querySelectorAll<HTMLElement>(".block") ?? [])];
  const ids: string[] = JSON.parse(article?.dataset.collapsed ?? "[]");
  for (const id of ids) {
    const heading = document.getElementById(id);
    const below = heading ? belowOf(blocks, heading) : [];
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
