/**
 * `npm run bench:large`: a store of a million documents beside one of ten thousand, made by the import of archives in
 * bounded time and measured in turns. `DOCUMENTS=1000000`, `SMALL=10000`, `MINUTES=60` for loading (0 loads nothing),
 * `IMPORTS=3` at once, `DATABASE=postgres`. With `STORE=folder` both stores stay there, and the next run goes on with
 * them. See docs/SCALE.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "./harness/processes.ts";
import { loadStore } from "./large/load.ts";
import { measure } from "./large/measure.ts";
import { openPlace } from "./large/place.ts";

const say = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const results = process.env.RESULTS ?? join(import.meta.dirname, "results/scale");
const kind = process.env.DATABASE === "sqlite" ? "sqlite" : "postgres";
const imports = number("IMPORTS", 3);

const folder = process.env.STORE ?? makeDirectory().path;
const place = await openPlace(kind, folder);
try {
  const small = await place.open("small");
  await loadStore(place, small, { documents: number("SMALL", 10_000), minutes: 60, imports }, say);
  const large = await place.open("large");
  const wish = { documents: number("DOCUMENTS", 1_000_000), minutes: number("MINUTES", 60), imports };
  await loadStore(place, large, wish, say);
  const found = await measure(place, small, large, say);
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `large-${kind}.json`), `${JSON.stringify(found, null, 1)}\n`);
} finally {
  await place.close();
}
process.exit(0);
