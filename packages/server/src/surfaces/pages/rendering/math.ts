import { escapeHtml } from "@svc/document/html/escape";
import temml from "temml";

/** A longer formula is shown as its source. */
const MAX_CHARACTERS = 5000;
const MAX_EXPANSIONS = 500;
/** Tokens that all expansions of macros in one formula may make. */
const MAX_TOKENS = 20_000;
/** Tokens of one macro that a formula defines, and of the arguments of one expansion. */
const MAX_DEFINITION = 200;
const MAX_ARGUMENTS = 2000;

interface Definition {
  readonly tokens?: readonly unknown[];
}

/** The part of Temml that expands macros. */
interface Expander {
  expandOnce(isExpandableOnly?: boolean): number | false;
  consumeArgs(count: number, delimiters?: unknown): unknown[][];
  readonly macros: { set(name: string, value: Definition | string | undefined, isGlobal?: boolean): void };
}

const LIMIT = "\\svclimit";

function refuse(count: number, max: number): void {
  if (count > max) throw new RangeError("The macros of this formula take too many tokens.");
}

/**
 * Stands at the beginning of a formula and expands to nothing. Temml limits the number of expansions, but not their
 * length: a few hundred uses of a long macro take seconds.
 */
function limitTokens(expander: Expander): string {
  const expandOnce = expander.expandOnce.bind(expander);
  const consumeArgs = expander.consumeArgs.bind(expander);
  const set = expander.macros.set.bind(expander.macros);
  let made = 0;
  expander.expandOnce = (isExpandableOnly) => {
    const count = expandOnce(isExpandableOnly);
    made += count || 0;
    refuse(made, MAX_TOKENS);
    return count;
  };
  expander.consumeArgs = (wanted, delimiters) => {
    const found = consumeArgs(wanted, delimiters);
    refuse(
      found.reduce((sum, tokens) => sum + tokens.length, 0),
      MAX_ARGUMENTS,
    );
    return found;
  };
  expander.macros.set = (name, value, isGlobal) => {
    refuse(typeof value === "object" ? (value.tokens?.length ?? 0) : 0, MAX_DEFINITION);
    set(name, value, isGlobal);
  };
  return "";
}

/** LaTeX as MathML, which browsers render without a script; undefined if it cannot be parsed. */
export function math(latex: string, isBlock: boolean): string | undefined {
  if (latex.length > MAX_CHARACTERS) return undefined;
  try {
    const made = temml.renderToString(`${LIMIT} ${latex}`, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      macros: { [LIMIT]: limitTokens },
    });
    const label = escapeHtml(latex);
    // Copying a formula from the page also copies its source.
    const sourced = made.replace("<math", () => `<math alttext="${label}"`);
    return isBlock
      ? `<div class="math math-block" tabindex="0" role="group" aria-label="${label}">${sourced}</div>`
      : `<span class="math math-inline">${sourced}</span>`;
  } catch {
    return undefined;
  }
}
