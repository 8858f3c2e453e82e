/**
 * `npm run bench`: svc against the smallest honest server for each operation, in turns within one run. Progress goes to
 * standard error; results and tables to `bench/results`. Settings: see docs/performance.md.
 */
import { Run, readSettings } from "./harness/run.ts";
import { stopPostgres } from "./harness/store.ts";
import { measureDocuments } from "./parts/documents.ts";
import { measureExport, measureFiles } from "./parts/files.ts";
import { measureLarge, measureReal } from "./parts/real.ts";
import { measureRights } from "./parts/rights.ts";
import { measureStart } from "./parts/start.ts";
import { writeReport } from "./report/write-report.ts";

const settings = readSettings(process.env);
const run = new Run(settings);
const began = performance.now();
await run.attempt("real-sqlite", () => measureReal(run, "sqlite"));
await run.attempt("real-postgres", () => measureReal(run, "postgres"));
if (process.env.LARGE === "1") {
  await run.attempt("real-large-sqlite", () => measureLarge(run, "sqlite"));
  await run.attempt("real-large-postgres", () => measureLarge(run, "postgres"));
}
await run.attempt("sqlite", () => measureDocuments(run, "sqlite"));
await run.attempt("postgres", () => measureDocuments(run, "postgres"));
await run.attempt("rights-sqlite", () => measureRights(run, "sqlite"));
await run.attempt("rights-postgres", () => measureRights(run, "postgres"));
await run.attempt("files", () => measureFiles(run));
await run.attempt("export", () => measureExport(run));
await run.attempt("start", () => measureStart(run));
await stopPostgres();
writeReport(settings.files);
run.finish(began);
