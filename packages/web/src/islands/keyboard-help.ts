/** The keys of the frame, told by "?": loaded when they are first asked for. */
export { showHelp } from "./shell/keyboard-help.ts";
