/** What Ctrl+K opens: loaded when it is first asked for. */
export { openPalette } from "./shell/palette.ts";
