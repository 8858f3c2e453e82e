import { escapeHtml } from "@svc/document/html/escape";
import temml from "temml";

/** A longer formula is shown as its source. */
const MAX_CHARACTERS = 5000;

/** LaTeX as MathML, which browsers set without a script; undefined where it cannot be read. */
export function math(latex: string, isBlock: boolean): string | undefined {
  if (latex.length > MAX_CHARACTERS) return undefined;
  try {
    const made = temml.renderToString(latex, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: 500,
    });
    const label = escapeHtml(latex);
    // Who copies a formula from the page copies its source with it.
    const sourced = made.replace("<math", () => `<math alttext="${label}"`);
    return isBlock
      ? `<div class="math math-block" tabindex="0" role="group" aria-label="${label}">${sourced}</div>`
      : `<span class="math math-inline">${sourced}</span>`;
  } catch {
    return undefined;
  }
}
