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
    return isBlock
      ? `<div class="math math-block" tabindex="0" role="group" aria-label="${label}">${made}</div>`
      : `<span class="math math-inline">${made}</span>`;
  } catch {
    return undefined;
  }
}
