/** The page around the text: one panel at a time, commands of the menu, and the editor that takes over the text. */

import { startHistory } from "../history/panel.ts";
import { startActions } from "./actions.ts";
import { startEditingOnClick } from "./edit-on-click.ts";
import { startFacts } from "./facts.ts";
import { startPanels } from "./panels.ts";

startFacts();
startHistory();
startPanels();
startActions();
startEditingOnClick();
