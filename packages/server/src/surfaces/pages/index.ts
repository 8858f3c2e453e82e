import { accountPages } from "./account/account.ts";
import { authorizePages } from "./account/authorize.ts";
import { connectPages } from "./account/connect.ts";
import { devicePages } from "./account/device.ts";
import { emailPages } from "./account/email.ts";
import { identityPages } from "./account/identities.ts";
import { securityPages } from "./account/security.ts";
import { settingsPages } from "./account/settings.ts";
import { tokenPages } from "./account/tokens.ts";
import { commentPages } from "./discussion/comments.ts";
import { notificationPages } from "./discussion/notifications.ts";
import { suggestionPages } from "./discussion/suggestions.ts";
import { unsubscribePages } from "./discussion/unsubscribe.ts";
import { watchPages } from "./discussion/watch.ts";
import { documentPages } from "./document/document.ts";
import { filePages } from "./document/files.ts";
import { historyPages } from "./document/history.ts";
import { languagePages } from "./document/languages.ts";
import { liveStatePages } from "./document/live-state.ts";
import { picturePages } from "./document/pictures.ts";
import { sharePages } from "./document/share.ts";
import { subpagePages } from "./document/subpages.ts";
import { templatePages } from "./document/template.ts";
import { translationPages } from "./document/translations.ts";
import { versionPages } from "./document/versions.ts";
import { accessPages } from "./library/access.ts";
import { askPages } from "./library/ask.ts";
import { browsePages } from "./library/browse.ts";
import { conceptPages } from "./library/concepts.ts";
import { importPages } from "./library/import.ts";
import { reviewPages } from "./library/review.ts";
import { searchPages } from "./library/search.ts";
import { trashPages } from "./library/trash.ts";
import { welcomePages } from "./library/welcome.ts";
import { manualPages } from "./manual/routes.ts";
import { referencePages } from "./reference/reference.ts";
import { entryPages } from "./sign-in/entry.ts";
import { forgottenPages } from "./sign-in/forgotten.ts";
import { oidcPages } from "./sign-in/oidc.ts";
import { provePages } from "./sign-in/prove.ts";
import { setupPages } from "./sign-in/setup.ts";
import type { PageRoute } from "./visit.ts";
import { auditPages } from "./workspace/audit.ts";
import { groupPages } from "./workspace/groups.ts";
import { memberPages } from "./workspace/members.ts";
import { publicLinkPages } from "./workspace/public-links.ts";
import { usagePages } from "./workspace/usage.ts";
import { webhookPages } from "./workspace/webhooks.ts";
import { workspacePages } from "./workspace/workspaces.ts";

/** Every page and every form. */
export const pageRoutes: readonly PageRoute[] = [
  ...entryPages,
  ...manualPages,
  ...oidcPages,
  ...forgottenPages,
  ...provePages,
  ...securityPages,
  ...identityPages,
  ...setupPages,
  ...accountPages,
  ...emailPages,
  ...settingsPages,
  ...tokenPages,
  ...webhookPages,
  ...memberPages,
  ...groupPages,
  ...accessPages,
  ...publicLinkPages,
  ...workspacePages,
  ...devicePages,
  ...welcomePages,
  ...connectPages,
  ...askPages,
  ...browsePages,
  ...documentPages,
  ...liveStatePages,
  ...versionPages,
  ...historyPages,
  ...sharePages,
  ...subpagePages,
  ...templatePages,
  ...trashPages,
  ...filePages,
  ...picturePages,
  ...searchPages,
  ...reviewPages,
  ...conceptPages,
  ...importPages,
  ...languagePages,
  ...translationPages,
  ...usagePages,
  ...auditPages,
  ...authorizePages,
  ...commentPages,
  ...suggestionPages,
  ...watchPages,
  ...notificationPages,
  ...unsubscribePages,
  ...referencePages,
];
