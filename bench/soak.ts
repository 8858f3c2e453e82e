/**
 * `npm run bench:soak`: an hour of mixed load at a fixed, moderate rate on two processes and one store, with people,
 * agents and faults; then everything is read back. On both databases at the same time. `MINUTES=60`,
 * `DATABASES=postgres,sqlite`, `RATE=1`, `RESULTS=…`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseKind, stopPostgres } from "./harness/store.ts";
import { soak } from "./soak/run-soak.ts";

const minutes = Number(process.env.MINUTES ?? 60);
const kinds = (["postgres", "sqlite"] satisfies DatabaseKind[]).filter((kind) =>
  (process.env.DATABASES ?? "postgres,sqlite").split(",").includes(kind),
);
const results = process.env.RESULTS ?? join(import.meta.dirname, "results/scale");
mkdirSync(results, { recursive: true });

const found = await Promise.all(
  kinds.map((kind) =>
    soak({
      kind,
      minutes,
      windowMinutes: Math.min(5, minutes / 4),
      faultMinutes: Math.min(4, minutes / 6),
      rate: Number(process.env.RATE ?? 1),
      say: (line) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`),
      keep: (soaked) => writeFileSync(join(results, `soak-${kind}.json`), `${JSON.stringify(soaked, null, 1)}\n`),
    }),
  ),
).finally(stopPostgres);
process.exit(found.every(({ problems, unheard }) => problems.length === 0 && unheard === 0) ? 0 : 1);
