import { accountPages } from "./account.ts";
import { devicePages } from "./device.ts";
import { entryPages } from "./entry.ts";
import { memberPages } from "./members.ts";
import { setupPages } from "./setup.ts";
import { tokenPages } from "./tokens.ts";
import type { PageRoute } from "./visit.ts";
import { workspacePages } from "./workspaces.ts";

/** Every page and every form. */
export const pageRoutes: readonly PageRoute[] = [
  ...entryPages,
  ...setupPages,
  ...accountPages,
  ...tokenPages,
  ...memberPages,
  ...workspacePages,
  ...devicePages,
];
