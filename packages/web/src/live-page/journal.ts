import type { Journal } from "@svc/live/session";
import { keep, readKept, removeKept } from "./kept.ts";

/** What an earlier tab of this person could not store; it is kept on the device until the server has it. */
export const readJournal = (key: string): Promise<Journal | undefined> => readKept<Journal>(key);

export const writeJournal = (key: string, journal: Journal): Promise<unknown> => keep(key, journal);

export const removeJournal = (key: string): Promise<unknown> => removeKept(key);
