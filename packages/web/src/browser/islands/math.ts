/** Formulas as MathML, as the server sets them. Loaded with the first formula that an editor shows. */
import temml from "temml";

/** A longer formula is shown as its source. */
const MAX_CHARACTERS = 5000;

/** Answers undefined, or what is wrong with the formula. */
export function renderMath(latex: string, into: HTMLElement, isBlock: boolean): string | undefined {
  if (latex.length > MAX_CHARACTERS) return "The formula is too long to display.";
  try {
    temml.render(latex, into, { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: 500 });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*?error:\s*/i, "") : String(error);
  }
}
