import { accountPages } from "./account.ts";
import { auditPages } from "./audit.ts";
import { authorizePages } from "./authorize.ts";
import { browsePages } from "./browse.ts";
import { devicePages } from "./device.ts";
import { documentPages } from "./document.ts";
import { editPages } from "./edit.ts";
import { entryPages } from "./entry.ts";
import { filePages } from "./files.ts";
import { liveStatePages } from "./live-state.ts";
import { memberPages } from "./members.ts";
import { reviewPages } from "./review.ts";
import { searchPages } from "./search.ts";
import { setupPages } from "./setup.ts";
import { sharePages } from "./share.ts";
import { tokenPages } from "./tokens.ts";
import { translationPages } from "./translations.ts";
import { trashPages } from "./trash.ts";
import { usagePages } from "./usage.ts";
import { versionPages } from "./versions.ts";
import type { PageRoute } from "./visit.ts";
import { webhookPages } from "./webhooks.ts";
import { workspacePages } from "./workspaces.ts";

/** Every page and every form. */
export const pageRoutes: readonly PageRoute[] = [
  ...entryPages,
  ...setupPages,
  ...accountPages,
  ...tokenPages,
  ...webhookPages,
  ...memberPages,
  ...workspacePages,
  ...devicePages,
  ...browsePages,
  ...documentPages,
  ...editPages,
  ...liveStatePages,
  ...versionPages,
  ...sharePages,
  ...trashPages,
  ...filePages,
  ...searchPages,
  ...reviewPages,
  ...translationPages,
  ...usagePages,
  ...auditPages,
  ...authorizePages,
];
