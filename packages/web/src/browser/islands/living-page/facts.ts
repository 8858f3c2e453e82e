import { attempt } from "../common/toast.ts";
import { startAuthors } from "../info/authors.ts";
import { startProperties } from "../info/properties.ts";
import { PANEL_SHOWN } from "./events.ts";

/** Loads the properties and authors when the panel with them is first shown. */
export function startFacts(): void {
  let isLoaded = false;
  const isShown = () => document.getElementById("panel-info")?.checkVisibility() === true;
  document.addEventListener(PANEL_SHOWN, (event) => {
    if (isLoaded || !(event instanceof CustomEvent) || event.detail !== "info") return;
    isLoaded = true;
    void attempt(startProperties);
    void attempt(() => startAuthors(isShown));
  });
}
