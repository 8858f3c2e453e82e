import { createRequire } from "node:module";

/** What is used of highlight.js. Its own types bring those of the browser into the whole program. */
interface Highlighter {
  getLanguage(name: string): unknown;
  registerLanguage(name: string, language: unknown): void;
  highlight(text: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

const require = createRequire(import.meta.url);

/** Beside the forty that are common. */
const MORE = "clojure dart dockerfile elixir haskell latex nginx powershell protobuf scala".split(" ");

let loaded: Highlighter | undefined;

/** Loaded with the first code that is shown. */
function load(): Highlighter {
  const highlighter: Highlighter = require("highlight.js/lib/common");
  for (const name of MORE) highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
  return highlighter;
}

/** A longer listing is shown plain: colouring takes about a second for a megabyte. */
const MAX_CHARACTERS = 30_000;

/** Code as escaped markup with `hljs-…` classes; undefined for a language that is not known, which stays plain. */
export function highlight(text: string, language: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  loaded ??= load();
  if (!loaded.getLanguage(language)) return undefined;
  return loaded.highlight(text, { language, ignoreIllegals: true }).value;
}
