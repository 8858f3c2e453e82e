import type { Route } from "../http/route.ts";
import { meRoutes } from "./me/routes.ts";

/** The whole API. */
export const routes: readonly Route[] = [...meRoutes];
