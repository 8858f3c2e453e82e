import { momentOf } from "@svc/sdk";
import { UsageError } from "../usage-error.ts";

/** The moment that an argument means, in milliseconds; undefined for a name. */
export function momentIn(text: string): number | undefined {
  try {
    return momentOf(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`**invalid_arguments**: ${error.message}`, "send it as 2026-01-31, 2026-01-31T12:00Z or 2d.");
  }
}
