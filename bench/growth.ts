/**
 * `npm run bench:growth`: how the cost of each operation grows with the blocks of a document, the documents and the
 * index, with the slope of each curve. Settings as for `npm run bench`, see docs/performance.md.
 */
import { growBlocks } from "./growth/blocks.ts";
import { growDocuments } from "./growth/documents.ts";
import { growIndex } from "./growth/indexed-blocks.ts";
import { Run, readSettings } from "./harness/run.ts";
import { writeReport } from "./report/write-report.ts";

const settings = readSettings(process.env);
const run = new Run(settings);
const began = performance.now();
await run.attempt("blocks", () => growBlocks(run));
await run.attempt("documents", () => growDocuments(run));
await run.attempt("index", () => growIndex(run));
writeReport(settings.files);
run.finish(began);
