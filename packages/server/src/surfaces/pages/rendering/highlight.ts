import { createRequire } from "node:module";

/** The part of highlight.js that is used. Its own types would add the browser's types to the whole program. */
interface Highlighter {
  getLanguage(name: string): unknown;
  registerLanguage(name: string, language: unknown): void;
  highlight(text: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

const require = createRequire(import.meta.url);

/** Languages beside the forty common ones. */
const MORE = "clojure dart dockerfile elixir haskell latex nginx powershell protobuf scala".split(" ");

let loaded: Highlighter | undefined;

/** Loads the highlighter with the first code that is shown. */
function load(): Highlighter {
  const highlighter: Highlighter = require("highlight.js/lib/common");
  for (const name of MORE) highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
  return highlighter;
}

/** Longer code stays plain: highlighting takes about a second per megabyte. */
const MAX_CHARACTERS = 30_000;

/** Such a word takes the square of its length in some languages. */
const LONG_WORD = /\b\w{1000}/;

/** Code as escaped markup with `hljs-…` classes; undefined for an unknown language, which stays plain. */
export function highlight(text: string, language: string): string | undefined {
  if (text.length > MAX_CHARACTERS || LONG_WORD.test(text)) return undefined;
  loaded ??= load();
  if (!loaded.getLanguage(language)) return undefined;
  return loaded.highlight(text, { language, ignoreIllegals: true }).value;
}
