import { defined } from "@svc/document/defined";
import type { Run } from "../harness/run.ts";
import { blockPath, makeBlocks } from "../harness/stand.ts";
import { round } from "../parts/operation.ts";
import { anchoredOf, batches, edits, rewrites } from "../parts/writes.ts";
import { Curves, costs, type Grown, makeSite, sizesOf } from "./site.ts";

const part = "growth-blocks";
const EDIT = "edit one block";
const BATCH = "batch of 100 edits";
const BLOCK = "read one block";
const PAGE = "page of 100 blocks";
const METADATA = "metadata";
const BODY = "read the body as Markdown";
const REWRITE = "replace the body, one paragraph changed";

/** A hundred times the blocks may cost three times as much: log 3 / log 100. */
const NEARLY_CONSTANT = 0.24;

const grown: readonly Grown[] = [
  { operation: METADATA, bound: 0.1, why: "one row" },
  { operation: BLOCK, bound: 0.15, why: "the body is in memory, the block is found by its id" },
  { operation: PAGE, bound: 0.15, why: "100 blocks, whatever stands beside them" },
  { operation: EDIT, bound: NEARLY_CONSTANT, why: "one segment is written; the list of segments gets longer" },
  { operation: BATCH, bound: 0.5, why: "in a longer body the 100 blocks lie in more segments" },
  { operation: BODY, bound: 1.1, why: "the answer is as long as the body" },
  { operation: REWRITE, bound: 1.1, why: "the request is as long as the body, and is parsed and compared" },
];

/** More and more blocks in one document. */
export async function growBlocks(run: Run): Promise<void> {
  if (!grown.some(({ operation }) => run.wants(part, operation))) return;
  const sizes = sizesOf(100, 10_000, run.scale.growth);
  run.say(`${part}: ${sizes.join(", ")} blocks in a document`);
  const curves = new Curves({ part, over: "blocks in the document" }, grown);
  const site = await makeSite();
  try {
    const documents = await Promise.all(sizes.map(async (size) => defined((await makeBlocks(site, 1, size))[0])));
    const get = (path: string) => round([site.api.bytes({ method: "GET", path })]);
    const measure = async (operation: string, count: number, requestsOf: (index: number) => ReturnType<typeof get>) => {
      const asked = sizes.map((x, i) => ({ x, requests: requestsOf(i) }));
      for (const { x, y } of await costs(run, site, asked, count)) curves.add(operation, x, y);
    };
    const path = (i: number) => `/api/v1/documents/${defined(documents[i]).id}`;
    await measure(METADATA, 1000, (i) => get(path(i)));
    await measure(BLOCK, 1000, (i) =>
      get(blockPath(defined(documents[i]).id, defined(defined(documents[i]).blocks.at(-1)))),
    );
    await measure(PAGE, 200, (i) => get(`${path(i)}/blocks?limit=100`));
    await measure(BODY, 100, (i) => get(`${path(i)}/content?format=markdown`));
    await measure(EDIT, 200, (i) => edits(site, [defined(documents[i])]));
    await measure(BATCH, 20, (i) => batches(site, [defined(documents[i])]));
    const anchored = await anchoredOf(
      site.api,
      documents.map(({ id }) => id),
    );
    await measure(REWRITE, 20, (i) => rewrites(site, [defined(anchored[i])]));
    curves.finish(run);
  } finally {
    await site.close();
  }
}
