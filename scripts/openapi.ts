/** Writes the committed copies of what the service says about itself: openapi.json, and docs/nodes.md. */
import { writeFileSync } from "node:fs";
import { nodeGuide } from "@svc/document/guide/node-guide";
import { describe } from "@svc/server/openapi/describe";
import { routes } from "@svc/server/routes";

writeFileSync("openapi.json", `${JSON.stringify(describe(routes), null, 2)}\n`);
writeFileSync("docs/nodes.md", nodeGuide());
