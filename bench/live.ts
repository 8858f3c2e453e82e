/**
 * `npm run bench:live`: live documents, in turns with a relay that stores nothing. Settings as for `npm run bench`, see
 * docs/performance.md.
 */
import { Run, readSettings } from "./harness/run.ts";
import { type DatabaseKind, stopPostgres } from "./harness/store.ts";
import { growFolds, measureCrowd, measureJoin } from "./live/costs.ts";
import { measureDelays } from "./live/delays.ts";
import { type LiveSite, makeLiveSite } from "./live/site.ts";
import { writeReport } from "./report/write-report.ts";

const settings = readSettings(process.env);
const run = new Run(settings);
const began = performance.now();

async function onSite(kind: DatabaseKind, work: (site: LiveSite, part: string) => Promise<void>): Promise<void> {
  const part = `live-${kind}`;
  run.say(part);
  const site = await makeLiveSite(kind);
  await work(site, part).finally(() => site.close());
}

await run.attempt("live-sqlite", () =>
  onSite("sqlite", async (site, part) => {
    await measureDelays(run, part, site);
    await measureJoin(run, part, site);
    await growFolds(run, site);
    await measureCrowd(run, part, site);
  }),
);
if (settings.only.test("live-postgres: "))
  await run.attempt("live-postgres", () => onSite("postgres", (site, part) => measureDelays(run, part, site)));
await stopPostgres();
writeReport(settings.files);
run.finish(began);
