/** Writes the table of docs/settings.md from the settings themselves. The test CONF1 fails when it is out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "@svc/server/config";

const PAGE = "docs/settings.md";
const rows = Object.values(settings).map(
  ({ name, shown, meaning, secret }) => `\`${name}\` | ${shown} | ${meaning}${secret ? " *" : ""}`,
);
const table = ["Setting | Default | Meaning", "--- | --- | ---", ...rows].join("\n");
const page = readFileSync(PAGE, "utf8");
const [before, rest] = page.split("<!-- settings -->");
const after = rest?.split("<!-- /settings -->")[1];
writeFileSync(PAGE, `${before}<!-- settings -->\n${table}\n<!-- /settings -->${after}`);
