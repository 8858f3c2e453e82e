import type { Route } from "../http/route.ts";
import { attachmentRoutes } from "./attachments/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { blockRoutes } from "./blocks/routes.ts";
import { bodyWriteRoutes } from "./body-writes/routes.ts";
import { changeRoutes } from "./changes/routes.ts";
import { commentRoutes } from "./comments/routes.ts";
import { conceptCandidateRoutes } from "./concept-candidates/routes.ts";
import { conceptPartRoutes } from "./concepts/part-routes.ts";
import { conceptRoutes } from "./concepts/routes.ts";
import { contentRoutes } from "./content/routes.ts";
import { copyRoutes } from "./copies/routes.ts";
import { deletionRoutes } from "./deletion/routes.ts";
import { deviceRoutes } from "./devices/routes.ts";
import { differenceRoutes } from "./differences/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { exportRoutes } from "./export/routes.ts";
import { folderRoutes } from "./folders/routes.ts";
import { groupRoutes } from "./groups/routes.ts";
import { idRoutes } from "./ids/routes.ts";
import { importRoutes } from "./import/routes.ts";
import { knowledgeBaseRoutes } from "./knowledge-bases/routes.ts";
import { liveRoutes } from "./live/routes.ts";
import { localizationRoutes } from "./localization/routes.ts";
import { translationRoutes } from "./localization/translation-routes.ts";
import { meRoutes } from "./me/routes.ts";
import { memberRoutes } from "./members/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { personalRoutes } from "./personal/routes.ts";
import { pictureRoutes } from "./pictures/routes.ts";
import { propertyRoutes } from "./properties/routes.ts";
import { readingRoutes } from "./reading/routes.ts";
import { relationRoutes } from "./relations/routes.ts";
import { accessRoutes } from "./rights/routes.ts";
import { sectionMoveRoutes } from "./section-moves/routes.ts";
import { shareRoutes } from "./shares/routes.ts";
import { spreadsheetRoutes } from "./spreadsheets/routes.ts";
import { suggestionRoutes } from "./suggestions/routes.ts";
import { summaryRoutes } from "./summaries/routes.ts";
import { trashRoutes } from "./trash/routes.ts";
import { treeRoutes } from "./tree/routes.ts";
import { versionRoutes } from "./versions/routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/delivery-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

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
