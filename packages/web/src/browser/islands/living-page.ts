/** The page around the text: one panel at a time, commands of the menu, and the editor that takes over the text. */

import { startHistory } from "./history/panel.ts";
import { startActions } from "./living-page/actions.ts";
import { startEditingOnClick } from "./living-page/edit-on-click.ts";
import { startFacts } from "./living-page/facts.ts";
import { startPanels } from "./living-page/panels.ts";

startFacts();
startHistory();
startPanels();
startActions();
startEditingOnClick();
