import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { target: string[] }[];
}

/** Everything that axe holds against the page as it stands, as one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const result = await page.evaluate<{ violations: Violation[] }>("axe.run({ resultTypes: ['violations'] })");
  return result.violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}
