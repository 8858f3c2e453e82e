/** The dialog that asks where something goes: loaded when it is first asked for. */
export { chooseContainer } from "./tree/choose-container.ts";
