/**
 * `npm run bench:live`: live documents, in turns with a relay that stores nothing. Settings as for `npm run bench`, see
 * docs/performance.md.
 */
import { Run, readSettings } from "./harness/run.ts";
import { type DatabaseKind, stopPostgres } from "./harness/store.ts";
import { growFolds, measureCrowd, measureJoin } from "./live/costs.ts";
import { measureDelays } from "./live/delays.ts";
import { growBlocks, growEditors, measureCompany } from "./live/editors.ts";
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

async function measureEditors(kind: DatabaseKind, site: LiveSite, part: string): Promise<void> {
  await measureCompany(run, part, site);
  await growEditors(run, kind, site);
  await growBlocks(run, kind, site);
}

await run.attempt("live-sqlite", () =>
  onSite("sqlite", async (site, part) => {
    await measureDelays(run, part, site);
    await measureJoin(run, part, site);
    await growFolds(run, site);
    await measureCrowd(run, part, site);
    await measureEditors("sqlite", site, part);
  }),
);
if (
  ["live-postgres: ", "growth-live-editors-postgres: ", "growth-live-blocks-postgres: "].some((name) =>
    settings.only.test(name),
  )
)
  await run.attempt("live-postgres", () =>
    onSite("postgres", async (site, part) => {
      await measureDelays(run, part, site);
      await measureEditors("postgres", site, part);
    }),
  );
await stopPostgres();
writeReport(settings.files);
run.finish(began);
