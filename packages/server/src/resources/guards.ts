import type { BodyGuard } from "../bodies/guard.ts";
import { guardReferences } from "./attachments/guard-references.ts";

/** What every new body must pass. */
export const guards: readonly BodyGuard[] = [guardReferences];
