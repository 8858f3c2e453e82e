/** The dialog that chooses a destination, loaded on first use. */
export { chooseContainer } from "./tree/choose-container.ts";
