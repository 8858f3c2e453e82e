import type { View } from "../bodies/view.ts";
import { changesView } from "./changes/view.ts";
import { liveView } from "./live/view.ts";
import { mentionsView } from "./mentions/view.ts";
import { relationsView } from "./relations/view.ts";
import { searchView } from "./search/view.ts";
import { translationsView } from "./translations/view.ts";

/** Every derived view. To add one, add a folder and a line here. */
export const views: readonly View[] = [
  changesView,
  liveView,
  relationsView,
  searchView,
  translationsView,
  mentionsView,
];
