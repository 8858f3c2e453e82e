/** What the frame around every page needs a script for: the tree, menus, messages, the palette, shortcuts. */
import { startFavourite } from "./shell/favourite.ts";
import { startList } from "./shell/list.ts";
import { startPalette } from "./shell/open-palette.ts";
import { startRename } from "./shell/rename-title.ts";
import { startResize } from "./shell/resize.ts";
import { startShortcuts } from "./shell/shortcuts.ts";
import { startStayTrue } from "./shell/stay-true.ts";
import { startSelectionBar } from "./tree/selection-bar.ts";
import { startTree } from "./tree/tree-input.ts";

const treeIsOpen = startTree();
startResize();
startPalette();
startShortcuts();
startRename();
startFavourite();
startList();
startSelectionBar();
startStayTrue();
/** Tells what drives a browser that keys and clicks are listened to and the tree stands still. */
treeIsOpen.finally(() => document.documentElement.setAttribute("data-ready", ""));
