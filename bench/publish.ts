/**
 * `npm run bench:publish`: puts the results of the last run into docs/performance.md: the figures as JSON and the charts
 * beside it, the tables between its markers; those of `bench:large` and `bench:soak` into docs/SCALE.md. Parts that were
 * not measured again keep what they had.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ResultFiles } from "./harness/results.ts";
import { fillMarkers } from "./report/markers.ts";
import { publishScale } from "./report/publish-scale.ts";
import { makeReport } from "./report/write-report.ts";

const root = resolve(import.meta.dirname, "..");
const page = join(root, "docs/performance.md");
const published = join(root, "docs/performance");
const results = process.env.RESULTS ?? join(import.meta.dirname, "results");

mkdirSync(published, { recursive: true });
mkdirSync(results, { recursive: true });
for (const name of readdirSync(results).filter((file) => file.endsWith(".json")))
  copyFileSync(join(results, name), join(published, name));
const { sections, charts } = makeReport(new ResultFiles(published).all());
for (const [name, chart] of charts) writeFileSync(join(published, `${name}.svg`), chart);
writeFileSync(page, fillMarkers(readFileSync(page, "utf8"), sections));
publishScale(root, join(results, "scale"));
