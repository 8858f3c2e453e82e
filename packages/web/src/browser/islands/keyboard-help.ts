/** The keyboard help of the frame, loaded on first use. */
export { showHelp } from "./shell/keyboard-help.ts";
