/** Writes openapi.json, the committed copy of what the server says about itself. */
import { writeFileSync } from "node:fs";
import { describe } from "@svc/server/openapi/describe";
import { routes } from "@svc/server/routes";

writeFileSync("openapi.json", `${JSON.stringify(describe(routes), null, 2)}\n`);
