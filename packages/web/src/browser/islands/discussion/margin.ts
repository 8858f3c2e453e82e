/** Cards in the margin: each stands beside its passage and moves with it; where several meet, they are stacked. */
import { defined } from "@svc/document/defined";

const GAP = 8;

/** Below this width the cards are a list. */
const isWide = matchMedia("(min-width: 64rem)");

interface Card {
  readonly shown: HTMLElement;
  /** Pixels below the top of the margin; infinite for a passage that is not drawn. */
  readonly wanted: number;
  readonly height: number;
}

/** The tops of cards in their order: the current one beside its passage, the others as near to theirs as they can be. */
function stack(cards: readonly Omit<Card, "shown">[], from: number, current: number): number[] {
  const tops: number[] = [];
  let free = from;
  for (const { wanted, height } of cards) {
    const top = Number.isFinite(wanted) ? Math.max(wanted, free) : free;
    tops.push(top);
    free = top + height + GAP;
  }
  const chosen = cards[current];
  if (!chosen || !Number.isFinite(chosen.wanted)) return tops;
  const above = cards.slice(0, current).reduce((sum, { height }) => sum + height + GAP, from);
  tops[current] = Math.max(chosen.wanted, above);
  for (let i = current - 1; i >= 0; i--)
    tops[i] = Math.min(defined(tops[i]), defined(tops[i + 1]) - defined(cards[i]).height - GAP);
  free = defined(tops[current]) + chosen.height + GAP;
  for (let i = current + 1; i < cards.length; i++) {
    const { wanted, height } = defined(cards[i]);
    tops[i] = Number.isFinite(wanted) ? Math.max(wanted, free) : free;
    free = defined(tops[i]) + height + GAP;
  }
  return tops;
}

const CARDS = ".thread[data-block], .new-comment[open][data-block]";

const bottomOf = (shown: Element): number => shown.getBoundingClientRect().bottom;

/** Puts every card beside its passage. Where the window is narrow, or the panel is closed, they stand in a list. */
export function layOut(margin: HTMLElement, passageOf: (card: HTMLElement) => Range | undefined): void {
  const shown = [...margin.querySelectorAll<HTMLElement>(CARDS)];
  if (!isWide.matches || !margin.checkVisibility()) {
    for (const card of shown) card.style.removeProperty("top");
    margin.style.removeProperty("min-height");
    return;
  }
  const { top: origin } = margin.getBoundingClientRect();
  const inFlow = [...margin.children, ...margin.querySelectorAll(".thread:not([data-block])")].filter(
    (child) => !child.matches(`ol, ${CARDS}`) && child.checkVisibility(),
  );
  const from = Math.max(0, ...inFlow.map((child) => bottomOf(child) - origin + GAP));
  const cards = shown
    .map((card): Card => {
      const box = passageOf(card)?.getBoundingClientRect();
      const isDrawn = box !== undefined && (box.height > 0 || box.width > 0);
      return { shown: card, wanted: isDrawn ? box.top - origin : Number.POSITIVE_INFINITY, height: card.offsetHeight };
    })
    .sort((a, b) => (a.wanted === b.wanted ? 0 : a.wanted - b.wanted));
  const current = cards.findIndex(({ shown: card }) => card.matches("[data-current], .new-comment"));
  const tops = stack(cards, from, current);
  for (const [index, { shown: card }] of cards.entries())
    card.style.setProperty("top", `${Math.round(defined(tops[index]))}px`);
  const end = Math.max(0, ...cards.map(({ height }, index) => defined(tops[index]) + height));
  margin.style.setProperty("min-height", `${Math.round(end)}px`);
  margin.toggleAttribute("data-placed", true);
}

/** Lays the cards out again whenever the text or a card changes its size. */
export function keepBeside(margin: HTMLElement, again: () => void): void {
  let isDue = false;
  const soon = () => {
    if (!isDue) requestAnimationFrame(run);
    isDue = true;
  };
  const sizes = new ResizeObserver(soon);
  const watch = () => {
    for (const one of document.querySelectorAll(".editor, .reading > .prose, [data-comments], .thread, .new-comment"))
      sizes.observe(one);
  };
  const run = () => {
    isDue = false;
    again();
  };
  isWide.addEventListener("change", soon);
  margin.addEventListener("toggle", soon, { capture: true });
  new MutationObserver(() => {
    watch();
    soon();
  }).observe(margin, { childList: true, subtree: true });
  watch();
}
