/** The Ctrl+K palette, loaded on first use. */
export { openPalette } from "./shell/palette.ts";
