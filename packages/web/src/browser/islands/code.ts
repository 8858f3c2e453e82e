/** Colours code while it is edited, with the highlighter and the languages of the server. Loaded with the first code. */
import highlighter from "highlight.js/lib/common";
import clojure from "highlight.js/lib/languages/clojure";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import haskell from "highlight.js/lib/languages/haskell";
import latex from "highlight.js/lib/languages/latex";
import nginx from "highlight.js/lib/languages/nginx";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";

const more = { clojure, dart, dockerfile, elixir, haskell, latex, nginx, powershell, protobuf, scala };
for (const [name, language] of Object.entries(more)) highlighter.registerLanguage(name, language);

/** A longer listing stays plain. */
const MAX_CHARACTERS = 30_000;

export interface Coloured {
  readonly from: number;
  readonly to: number;
  readonly className: string;
}

/** The parts of a code that have a colour, by their offsets. */
export function colourCode(text: string, language: string): readonly Coloured[] {
  if (text.length > MAX_CHARACTERS || !highlighter.getLanguage(language)) return [];
  const holder = document.createElement("template");
  // The highlighter's own markup: text in it is escaped.
  holder.innerHTML = highlighter.highlight(text, { language, ignoreIllegals: true }).value;
  const found: Coloured[] = [];
  let at = 0;
  const walk = (node: Node, className: string) => {
    if (node instanceof Text) {
      if (className !== "") found.push({ from: at, to: at + node.data.length, className });
      at += node.data.length;
      return;
    }
    const own = node instanceof HTMLElement ? node.className : "";
    for (const child of node.childNodes) walk(child, own === "" ? className : own);
  };
  walk(holder.content, "");
  return found;
}

/** Names of languages, for choosing one. */
export const languages: readonly string[] = highlighter.listLanguages().sort();
