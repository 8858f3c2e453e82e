import type { Logger } from "pino";
import { type Config, unknownSettings } from "../config.ts";

/** Shorter secrets can be tried one after the other. */
const LEAST_CHARACTERS = 16;

/** What is most likely a mistake in the settings, told once at the start. */
export function warnOfSettings(log: Logger, { secret }: Config): void {
  for (const setting of unknownSettings(process.env)) log.warn({ setting }, "this setting is not known");
  if (secret !== undefined && secret.length < LEAST_CHARACTERS)
    log.warn({ setting: "SVC_SECRET" }, "this is short enough to be guessed, and who knows it signs in as anybody");
}
