import type { Route } from "./http/route.ts";
import { routes as resourceRoutes } from "./resources/index.ts";
import { views } from "./views/index.ts";

/** The whole API: facts, and what is derived from them. */
export const routes: readonly Route[] = [...resourceRoutes, ...views.flatMap((view) => view.routes ?? [])];
