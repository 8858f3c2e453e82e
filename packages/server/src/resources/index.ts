import type { Route } from "../http/route.ts";
import { documentRoutes } from "./documents/routes.ts";
import { folderRoutes } from "./folders/routes.ts";
import { knowledgeBaseRoutes } from "./knowledge-bases/routes.ts";
import { meRoutes } from "./me/routes.ts";
import { trashRoutes } from "./trash/routes.ts";

/** The whole API. */
export const routes: readonly Route[] = [
  ...meRoutes,
  ...knowledgeBaseRoutes,
  ...folderRoutes,
  ...documentRoutes,
  ...trashRoutes,
];
