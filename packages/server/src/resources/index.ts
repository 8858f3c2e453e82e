import type { Route } from "../http/route.ts";
import { attachmentRoutes } from "./attachments/routes.ts";
import { blockRoutes } from "./blocks/routes.ts";
import { contentRoutes } from "./content/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { exportRoutes } from "./export/routes.ts";
import { folderRoutes } from "./folders/routes.ts";
import { importRoutes } from "./import/routes.ts";
import { knowledgeBaseRoutes } from "./knowledge-bases/routes.ts";
import { meRoutes } from "./me/routes.ts";
import { readingRoutes } from "./reading/routes.ts";
import { shareRoutes } from "./shares/routes.ts";
import { trashRoutes } from "./trash/routes.ts";
import { versionRoutes } from "./versions/routes.ts";

/** The whole API. */
export const routes: readonly Route[] = [
  ...meRoutes,
  ...knowledgeBaseRoutes,
  ...folderRoutes,
  ...documentRoutes,
  ...contentRoutes,
  ...readingRoutes,
  ...blockRoutes,
  ...versionRoutes,
  ...attachmentRoutes,
  ...shareRoutes,
  ...exportRoutes,
  ...importRoutes,
  ...trashRoutes,
];
