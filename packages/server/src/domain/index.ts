import type { Route } from "../http/route.ts";
import { auditRoutes } from "./access/audit/routes.ts";
import { accessRoutes } from "./access/policy/routes.ts";
import { shareRoutes } from "./access/shares/routes.ts";
import { attachmentRoutes } from "./content/attachments/routes.ts";
import { blockRoutes } from "./content/blocks/routes.ts";
import { bodyWriteRoutes } from "./content/body-writes/routes.ts";
import { changeRoutes } from "./content/changes/routes.ts";
import { contentRoutes } from "./content/content/routes.ts";
import { differenceRoutes } from "./content/differences/routes.ts";
import { historyRoutes } from "./content/history/routes.ts";
import { readingRoutes } from "./content/reading/routes.ts";
import { spreadsheetRoutes } from "./content/spreadsheets/routes.ts";
import { versionRoutes } from "./content/versions/routes.ts";
import { commentRoutes } from "./discussion/comments/routes.ts";
import { notificationRoutes } from "./discussion/notifications/routes.ts";
import { suggestionRoutes } from "./discussion/suggestions/routes.ts";
import { eventRoutes } from "./exchange/events/routes.ts";
import { exportRoutes } from "./exchange/export/routes.ts";
import { idRoutes } from "./exchange/ids/routes.ts";
import { importRoutes } from "./exchange/import/routes.ts";
import { webhookDeliveryRoutes } from "./exchange/webhooks/delivery-routes.ts";
import { webhookRoutes } from "./exchange/webhooks/routes.ts";
import { deviceRoutes } from "./identity/devices/routes.ts";
import { groupRoutes } from "./identity/groups/routes.ts";
import { meRoutes } from "./identity/me/routes.ts";
import { memberRoutes } from "./identity/members/routes.ts";
import { pictureRoutes } from "./identity/pictures/routes.ts";
import { conceptCandidateRoutes } from "./knowledge/concept-candidates/routes.ts";
import { conceptPartRoutes } from "./knowledge/concepts/part-routes.ts";
import { conceptRoutes } from "./knowledge/concepts/routes.ts";
import { localizationRoutes } from "./knowledge/localization/routes.ts";
import { translationRoutes } from "./knowledge/localization/translation-routes.ts";
import { relationRoutes } from "./knowledge/relations/routes.ts";
import { summaryRoutes } from "./knowledge/summaries/routes.ts";
import { documentRoutes } from "./library/documents/routes.ts";
import { folderRoutes } from "./library/folders/routes.ts";
import { knowledgeBaseRoutes } from "./library/knowledge-bases/routes.ts";
import { personalRoutes } from "./library/personal/routes.ts";
import { propertyRoutes } from "./library/properties/routes.ts";
import { subpageRoutes } from "./library/subpages/routes.ts";
import { treeRoutes } from "./library/tree/routes.ts";
import { copyRoutes } from "./lifecycle/copies/routes.ts";
import { deletionRoutes } from "./lifecycle/deletion/routes.ts";
import { sectionMoveRoutes } from "./lifecycle/section-moves/routes.ts";
import { trashRoutes } from "./lifecycle/trash/routes.ts";
import { liveRoutes } from "./live/routes.ts";

/** The routes of all facts. */
export const routes: readonly Route[] = [
  ...meRoutes,
  ...deviceRoutes,
  ...knowledgeBaseRoutes,
  ...accessRoutes,
  ...groupRoutes,
  ...memberRoutes,
  ...folderRoutes,
  ...treeRoutes,
  ...documentRoutes,
  ...subpageRoutes,
  ...idRoutes,
  ...copyRoutes,
  ...personalRoutes,
  ...pictureRoutes,
  ...contentRoutes,
  ...bodyWriteRoutes,
  ...spreadsheetRoutes,
  ...propertyRoutes,
  ...liveRoutes,
  ...readingRoutes,
  ...blockRoutes,
  ...sectionMoveRoutes,
  ...versionRoutes,
  ...historyRoutes,
  ...commentRoutes,
  ...suggestionRoutes,
  ...notificationRoutes,
  ...relationRoutes,
  ...summaryRoutes,
  ...localizationRoutes,
  ...translationRoutes,
  ...conceptRoutes,
  ...conceptPartRoutes,
  ...conceptCandidateRoutes,
  ...attachmentRoutes,
  ...shareRoutes,
  ...exportRoutes,
  ...importRoutes,
  ...deletionRoutes,
  ...trashRoutes,
  ...eventRoutes,
  ...differenceRoutes,
  ...changeRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...auditRoutes,
];
