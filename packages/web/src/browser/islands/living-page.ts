/** The page around the text: one panel at a time, commands of the menu, and the editor that takes over the text. */
import { startActions } from "./living-page/actions.ts";
import { startEditingOnClick } from "./living-page/edit-on-click.ts";
import { startPanels } from "./living-page/panels.ts";

startPanels();
startActions();
startEditingOnClick();
