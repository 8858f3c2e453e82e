import { createWriteStream } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { randomFrom } from "../corpus/random.ts";
import { paragraphs } from "../corpus/text.ts";
import { untilIdle } from "../growth/site.ts";
import { Api } from "../harness/api.ts";
import { bareServer, SVC_SERVER, startServer } from "../harness/processes.ts";
import { memoryRise } from "../harness/processor.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { makeStore } from "../harness/store.ts";

const part = "files";

/** A knowledge base as an archive, in turns with the smallest server that packs the same files. */
export async function measureExport(run: Run): Promise<void> {
  const count = run.scale.exportDocuments;
  const named = `export of ${count.toLocaleString("en")} documents`;
  const rise = `memory during an ${named}`;
  if (!run.wants(part, named) && !run.wants(part, rise)) return;
  run.say(`${part}: ${named}`);
  const store = await makeStore("sqlite");
  const svc = await startServer(SVC_SERVER, store.settings);
  try {
    const path = await makeKnowledgeBase(new Api(svc.address, store.headers), count);
    await untilIdle({ svc });
    const archive = join(store.directory, "archive.zip");
    const ours = (to: Writable) => fetchInto(`${svc.address}${path}`, store.headers, to);
    await ours(createWriteStream(archive));
    const bare = await startServer(bareServer("export"), { ...store.bare, BENCH_ARCHIVE: archive });
    const limit = (to: Writable) => fetchInto(bare.address, {}, to);
    await limit(nowhere());
    const found: Record<"limit" | "ours" | "bareRise" | "ownRise", number[]> = {
      limit: [],
      ours: [],
      bareRise: [],
      ownRise: [],
    };
    for (let round = 0; round < Math.min(3, run.scale.rounds); round++) {
      found.bareRise.push(await memoryRise(bare.pid, async () => found.limit.push(await rateOf(limit, count))));
      found.ownRise.push(await memoryRise(svc.pid, async () => found.ours.push(await rateOf(ours, count))));
    }
    await bare.stop();
    const common = { part, against: "the ready files of the archive, packed by the same writer" };
    run.row({
      ...common,
      operation: named,
      unit: "documents/s",
      cells: [{ connections: 1, limit: figureOf(found.limit), ours: figureOf(found.ours) }],
      bound:
        "Markdown with anchors is made from each body, and every file gets a SHA-256; then compression, as in the limit",
    });
    run.row({
      ...common,
      operation: rise,
      unit: "MB more",
      cells: [{ limit: figureOf(found.bareRise), ours: figureOf(found.ownRise) }],
      goal: { kind: "most", value: 50 },
      bound: "the archive is made while it is read; paths and checksums of all documents are kept to the end",
    });
  } finally {
    await svc.stop();
    await store.remove();
  }
}

/** Documents of about 1 KB; answers the path of their export. */
async function makeKnowledgeBase(api: Api, count: number): Promise<string> {
  const random = randomFrom(7);
  const { id } = await api.data("POST", "/api/v1/knowledge-bases", { name: "Bench" });
  await api.each(count, (i) => ({
    method: "POST",
    path: "/api/v1/documents",
    body: {
      title: `Document ${i}`,
      knowledge_base_id: id,
      content: { format: "markdown", content: `# Document ${i}\n\n${paragraphs(random, 4, 40)}` },
    },
  }));
  return `/api/v1/knowledge-bases/${id}/export`;
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

async function fetchInto(url: string, headers: Readonly<Record<string, string>>, to: Writable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { headers }, resolve).on("error", reject);
  const answer = await promise;
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode} for ${url}`);
  await pipeline(answer, to);
}

async function rateOf(fetch: (to: Writable) => Promise<void>, count: number): Promise<number> {
  const begin = performance.now();
  await fetch(nowhere());
  return (count * 1000) / (performance.now() - begin);
}
