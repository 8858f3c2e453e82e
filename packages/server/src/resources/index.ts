import type { Route } from "../http/route.ts";
import { deviceRoutes } from "./devices/routes.ts";
import { meRoutes } from "./me/routes.ts";

/** The whole API. */
export const routes: readonly Route[] = [...meRoutes, ...deviceRoutes];
