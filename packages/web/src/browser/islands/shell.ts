/** The scripts of the frame around every page: tree, menus, messages, palette, shortcuts. */
import { startFavourite } from "./shell/favourite.ts";
import { startList } from "./shell/list.ts";
import { startLiveRefresh } from "./shell/live-refresh.ts";
import { startPalette } from "./shell/open-palette.ts";
import { startPageActions } from "./shell/page-actions.ts";
import { startRename } from "./shell/rename-title.ts";
import { startResize } from "./shell/resize.ts";
import { startShortcuts } from "./shell/shortcuts.ts";
import { startSelectionBar } from "./tree/selection-bar.ts";
import { startTree } from "./tree/tree-input.ts";

const treeIsOpen = startTree();
startResize();
startPalette();
startShortcuts();
startRename();
startPageActions();
startFavourite();
startList();
startSelectionBar();
startLiveRefresh();
/** Signals to browser tests that the frame's handlers are installed and the tree is complete. */
treeIsOpen.finally(() => document.documentElement.setAttribute("data-shell-ready", ""));
