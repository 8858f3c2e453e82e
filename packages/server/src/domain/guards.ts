import type { BodyGuard } from "../services/body-views.ts";
import { guardReferences } from "./content/attachments/guard-references.ts";

/** The checks that every new body must pass. */
export const guards: readonly BodyGuard[] = [guardReferences];
