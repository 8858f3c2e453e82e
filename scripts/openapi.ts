/** Writes openapi.json, the committed copy of the description that the service serves. */
import { writeFileSync } from "node:fs";
import { routes } from "@svc/server/routes";
import { describe } from "@svc/server/surfaces/openapi/describe";

writeFileSync("openapi.json", `${JSON.stringify(describe(routes), null, 1)}\n`);
