import { routes as resourceRoutes } from "./domain/index.ts";
import type { Route } from "./http/route.ts";
import { views } from "./views/index.ts";

/** The whole API: the stored data, and the views derived from it. */
export const routes: readonly Route[] = [...resourceRoutes, ...views.flatMap((view) => view.routes ?? [])];
