/** The events between the scripts of one page, which are separate files. */

/** Open the panel that the event names. */
export const OPEN_PANEL = "svc-open-panel";

/** A panel is shown; the event names it. */
export const PANEL_SHOWN = "svc-panel-shown";

/** The caret of the editor is in the block that the event names. */
export const CARET_BLOCK = "svc-caret-block";

/** The editor takes over the text. */
export const EDITING = "svc-editing";

/** Open the settings of the page. */
export const PAGE_SETTINGS = "svc-page-settings";

/** Open the list of the editor's keys. */
export const EDITOR_KEYS = "svc-editor-keys";

export const openPanel = (name: "contents" | "comments" | "info" | "history"): void =>
  void document.dispatchEvent(new CustomEvent(OPEN_PANEL, { detail: name }));
