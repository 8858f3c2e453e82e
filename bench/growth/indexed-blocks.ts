import { defined } from "@svc/document/defined";
import { parseQuery } from "@svc/search/query/query";
import type { Run } from "../harness/run.ts";
import { makeBlocks } from "../harness/stand.ts";
import { median } from "../harness/statistics.ts";
import { round } from "../parts/operation.ts";
import { edits } from "../parts/writes.ts";
import { blockText, buildFts5, cpuMilliseconds, fts5Expression, queriesOf } from "./index-corpus.ts";
import { Curves, costs, type Grown, makeSite, type Site, sizesOf, untilIdle } from "./site.ts";

const part = "growth-index";
const BLOCKS_EACH = 250;
const kinds = {
  rare: "search, a rare word",
  "common 1": "search, a common word",
  "common 2": "search, two common words",
};
const EDIT = "edit one block";
const limitOf = (operation: string) => `FTS5: ${operation}`;

const grown: readonly Grown[] = [
  { operation: kinds.rare, bound: 0.25, why: "the same few hits at every size; the index has more segments" },
  { operation: kinds["common 1"], bound: 0.9, why: "hits grow with the index; most are skipped by their best score" },
  { operation: kinds["common 2"], bound: 1, why: "hits grow with the index, and two lists are intersected" },
  { operation: EDIT, bound: 0.15, why: "one small segment is added, whatever the index holds" },
  ...Object.values(kinds).map((operation) => ({
    operation: limitOf(operation),
    why: "for comparison, in one process without HTTP",
  })),
];

/** More and more indexed blocks in a workspace. */
export async function growIndex(run: Run): Promise<void> {
  if (!grown.some(({ operation }) => run.wants(part, operation))) return;
  const sizes = sizesOf(10_000, 1_000_000, run.scale.growth);
  run.say(`${part}: ${sizes.join(", ")} indexed blocks`);
  const curves = new Curves({ part, over: "indexed blocks in the workspace" }, grown);
  const site = await makeSite();
  const texts: string[] = [];
  try {
    const edited = await makeBlocks(site, 10, 20);
    for (const x of sizes) {
      await fill(site, texts, x);
      await untilIdle(site);
      await measureQueries(run, site, curves, texts);
      curves.add(EDIT, x, defined((await costs(run, site, [{ x, requests: edits(site, edited) }], 200))[0]).y);
      run.say(`  ${x} blocks measured`);
    }
    curves.finish(run);
  } finally {
    await site.close();
  }
}

async function fill(site: Site, texts: string[], size: number): Promise<void> {
  const from = texts.length;
  while (texts.length < size) texts.push(blockText());
  const documents = Math.ceil((size - from) / BLOCKS_EACH);
  await site.api.each(documents, (i) => {
    const some = texts.slice(from + i * BLOCKS_EACH, Math.min(size, from + (i + 1) * BLOCKS_EACH));
    const content = { format: "markdown", content: some.join("\n\n") };
    const body = { title: `Document ${from + i}`, knowledge_base_id: site.base, content };
    return { method: "POST", path: "/api/v1/documents", body };
  });
  site.svc.clearLog();
}

async function measureQueries(run: Run, site: Site, curves: Curves, texts: readonly string[]): Promise<void> {
  const x = texts.length;
  const queries = queriesOf(texts);
  const { database } = buildFts5(texts);
  const top = database.prepare("select rowid, rank from f where f match ? order by rank limit 10");
  for (const [kind, operation] of Object.entries(kinds)) {
    const asked = defined(queries[kind]).map((text) => ({ text, query: parseQuery(text) }));
    const usable = asked.flatMap(({ text, query }) => ("error" in query ? [] : [{ text, query }]));
    const path = (text: string) => `/api/v1/search/v2?limit=10&q=${encodeURIComponent(text)}`;
    const requests = round(usable.map(({ text }) => site.api.bytes({ method: "GET", path: path(text) })));
    curves.add(operation, x, defined((await costs(run, site, [{ x, requests }], 100))[0]).y);
    const least = usable.map(({ query }) => {
      const expression = fts5Expression(query);
      const runs = Array.from({ length: 3 }, () => {
        const from = cpuMilliseconds();
        top.all(expression);
        return cpuMilliseconds() - from;
      });
      return Math.min(...runs) * 1000;
    });
    curves.add(limitOf(operation), x, Math.max(1, median(least)));
  }
  database.close();
}
