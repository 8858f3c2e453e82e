import { defined } from "@svc/document/defined";
import { sentence } from "../corpus/text.ts";
import { residentMemory } from "../harness/processor.ts";
import type { Run } from "../harness/run.ts";
import { makeBlocks } from "../harness/stand.ts";
import { round } from "../parts/operation.ts";
import { edits } from "../parts/writes.ts";
import { Curves, costs, type Grown, makeSite, type Site, sizesOf, untilIdle } from "./site.ts";

const part = "growth-documents";
const METADATA = "metadata";
const FIRST_PAGE = "list, first page of 25";
const LAST_PAGE = "list, last page of 25";
const TREE = "tree of a knowledge base of 50 documents";
const CHANGES = "page of 100 events";
const SEARCH = "search, a word of 10 documents";
const EDIT = "edit one block";
const CREATE = "create a document";
const MEMORY = "resident memory";

/** Trees of pages get one level deeper with every few hundred times the rows. */
const LOGARITHMIC = 0.15;

const grown: readonly Grown[] = [
  { operation: METADATA, bound: LOGARITHMIC, why: "one row by its key" },
  { operation: FIRST_PAGE, bound: LOGARITHMIC, why: "25 rows in the order of an index" },
  { operation: LAST_PAGE, bound: LOGARITHMIC, why: "the cursor names a place in the index" },
  { operation: TREE, bound: LOGARITHMIC, why: "the rows of one knowledge base" },
  { operation: CHANGES, bound: LOGARITHMIC, why: "100 rows by their key" },
  { operation: SEARCH, bound: 0.3, why: "a few posting lists; the index has more segments" },
  { operation: EDIT, bound: LOGARITHMIC, why: "rows of one document, and the workspace's counters" },
  { operation: CREATE, bound: LOGARITHMIC, why: "rows of one document, and the workspace's counters" },
  { operation: MEMORY, unit: "MB", bound: LOGARITHMIC, why: "what is kept has a bound in bytes" },
];

/** More and more documents in a workspace. */
export async function growDocuments(run: Run): Promise<void> {
  if (!grown.some(({ operation }) => run.wants(part, operation))) return;
  const sizes = sizesOf(1000, 100_000, run.scale.growth);
  run.say(`${part}: ${sizes.join(", ")} documents`);
  const curves = new Curves({ part, over: "documents in the workspace" }, grown);
  const site = await makeSite();
  try {
    const { id: small } = await site.api.data("POST", "/api/v1/knowledge-bases", { name: "Small" });
    const [first] = await create(site, 0, 50, small);
    const edited = await makeBlocks(site, 10, 20);
    let made = 60;
    for (const x of sizes) {
      await create(site, made, x - made, site.base);
      made = Math.max(made, x);
      await untilIdle(site);
      const get = (path: string) => round([site.api.bytes({ method: "GET", path: `/api/v1/${path}` })]);
      const last = await lastPage(site);
      const measure = async (operation: string, count: number, requests: ReturnType<typeof get>) =>
        curves.add(operation, x, defined((await costs(run, site, [{ x, requests }], count))[0]).y);
      await measure(METADATA, 1500, get(`documents/${first}`));
      await measure(FIRST_PAGE, 500, get("documents?limit=25"));
      await measure(LAST_PAGE, 500, get(last));
      await measure(TREE, 500, get(`knowledge-bases/${small}/tree`));
      await measure(CHANGES, 300, get("changes?after=10&limit=100"));
      await measure(SEARCH, 300, get("search/v2?q=marker5&limit=10"));
      await measure(EDIT, 200, edits(site, edited));
      await measure(CREATE, 200, (i) => creation(site, `more ${i}`, site.base));
      curves.add(MEMORY, x, residentMemory(site.svc.pid));
    }
    curves.finish(run);
  } finally {
    await site.close();
  }
}

const bodyOf = (site: Site, title: string, knowledge_base_id: number, number: number) => ({
  title,
  knowledge_base_id,
  content: {
    format: "markdown",
    content: `${sentence(site.random, 12)} ${number < 100 ? `marker${number % 10}` : ""}`,
  },
});

const creation = (site: Site, title: string, base: number): Buffer =>
  site.api.bytes({ method: "POST", path: "/api/v1/documents", body: bodyOf(site, title, base, 1000) });

async function create(site: Site, from: number, count: number, base: number): Promise<string[]> {
  const answers = await site.api.each(Math.max(0, count), (i) => ({
    method: "POST",
    path: "/api/v1/documents",
    body: bodyOf(site, `Document ${from + i}`, base, from + i),
  }));
  site.svc.clearLog();
  return answers.map((answer) => String(JSON.parse(answer).data.id));
}

/** Walks to the end, and gives the path of a page of 25 near it. */
async function lastPage({ api }: Site): Promise<string> {
  let cursor = "";
  for (;;) {
    const { page } = JSON.parse(await api.text("GET", `/api/v1/documents?limit=100${cursor}`));
    if (!page.has_more) return `documents?limit=25${cursor}`;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}
