import { attempt } from "../common/toast.ts";
import { startAuthors } from "../info/authors.ts";
import { startProperties } from "../info/properties.ts";
import { PANEL_SHOWN } from "./events.ts";

const WORDS_PER_MINUTE = 230;

/** Counts the words of the text as it is shown. */
function showSize(): void {
  const place = document.querySelector("[data-size]");
  const text = document.querySelector<HTMLElement>(".reading .ProseMirror, .reading .prose")?.textContent ?? "";
  if (!place) return;
  const words = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].filter(
    ({ isWordLike }) => isWordLike,
  ).length;
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE));
  place.textContent = `${words === 1 ? "1 word" : `${words.toLocaleString("en")} words`} · ${minutes} min read`;
}

/** Loads the properties and authors when the panel with them is first shown. */
export function startFacts(): void {
  let isLoaded = false;
  const isShown = () => document.getElementById("panel-info")?.checkVisibility() === true;
  document.addEventListener(PANEL_SHOWN, (event) => {
    if (!(event instanceof CustomEvent) || event.detail !== "info") return;
    showSize();
    if (isLoaded) return;
    isLoaded = true;
    void attempt(startProperties);
    void attempt(() => startAuthors(isShown));
  });
}
