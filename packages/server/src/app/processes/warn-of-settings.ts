import type { Logger } from "pino";
import { type Config, unknownSettings } from "../../config.ts";

/** Shorter secrets can be found by trying. */
const LEAST_CHARACTERS = 16;

/** Warns once at the start about settings that are probably mistakes. */
export function warnOfSettings(log: Logger, { secret }: Config): void {
  for (const setting of unknownSettings(process.env)) log.warn({ setting }, "unknown setting");
  if (secret !== undefined && secret.length < LEAST_CHARACTERS)
    log.warn(
      { setting: "SVC_SECRET" },
      "this secret is short enough to guess, and whoever knows it can sign in as anyone",
    );
}
