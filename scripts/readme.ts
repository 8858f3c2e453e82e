/** Writes the table of settings into the README, from the settings themselves. `CONF1` checks that it was done. */
import { readFileSync, writeFileSync } from "node:fs";
import { settings } from "@svc/server/config";

const rows = Object.values(settings).map(
  ({ name, shown, meaning, secret }) => `| \`${name}\` | ${shown} | ${meaning}${secret ? " *" : ""} |`,
);
const table = ["| Setting | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
const readme = readFileSync("README.md", "utf8");
const [before, rest] = readme.split("<!-- settings -->");
const after = rest?.split("<!-- /settings -->")[1];
writeFileSync("README.md", `${before}<!-- settings -->\n${table}\n<!-- /settings -->${after}`);
