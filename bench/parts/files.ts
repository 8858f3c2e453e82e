import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { defined } from "@svc/document/defined";
import { paragraphs, randomFrom } from "../corpus/text.ts";
import { untilIdle } from "../growth/site.ts";
import { Api, bytesOf } from "../harness/api.ts";
import { Connection } from "../harness/connection.ts";
import type { Target } from "../harness/drive.ts";
import { bareServer, SVC_SERVER, startServer } from "../harness/processes.ts";
import { memoryRise } from "../harness/processor.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { makeStore } from "../harness/store.ts";
import { least } from "./operation.ts";

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

const RISE = "memory during";

/** Large files up and down, in turns with the smallest server that writes them to the same disk. */
export async function measureFiles(run: Run): Promise<void> {
  const size = `${run.scale.fileBytes / 1e6} MB`;
  const [up, down] = [`upload of ${size}`, `download of ${size}`];
  const operations = [up, down, `${RISE} uploads of ${size}`, `${RISE} downloads of ${size}`];
  if (!operations.some((operation) => run.wants(part, operation))) return;
  run.say(`${part}: ${size}`);
  const store = await makeStore("sqlite");
  const svc = await startServer(SVC_SERVER, store.settings);
  const bare = await startServer(bareServer("files"), store.bare);
  const api = new Api(svc.address, store.headers);
  const content = randomBytes(run.scale.fileBytes);
  const { id: base } = await api.data("POST", "/api/v1/knowledge-bases", { name: "Bench" });
  const document = await api.data("POST", "/api/v1/documents", { title: "Files", knowledge_base_id: base });
  const upload = api.bytes({
    method: "POST",
    path: "/api/v1/attachments",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: multipart(document.id, content),
  });
  const headers = { "content-type": "application/octet-stream" };
  const bareUpload = bytesOf({ method: "POST", path: "/", headers, body: content });
  const [toSvc, toBare] = [await Connection.open(svc.address), await Connection.open(bare.address)];
  try {
    const { id } = JSON.parse((await toSvc.ask(upload)).body.toString()).data;
    await toBare.ask(bareUpload);
    const download = api.bytes({ method: "GET", path: `/api/v1/attachments/${id}` });
    const bareDownload = bytesOf({ method: "GET", path: "/" });
    const sides = {
      [up]: { ours: upload, limit: bareUpload },
      [down]: { ours: download, limit: bareDownload },
    };
    const bounds = {
      [up]: "SHA-256 of the content and the search for the end of the part; then the disk's flush",
      [down]: "reading the file and writing to the socket, as in the limit",
    };
    for (const [operation, { ours, limit }] of Object.entries(sides)) {
      const found: Record<"ours" | "limit", number[]> = { ours: [], limit: [] };
      for (let round = 0; round < run.scale.rounds; round++) {
        found.limit.push(await speedOf(toBare, limit, content.length));
        found.ours.push(await speedOf(toSvc, ours, content.length));
      }
      run.row({
        part,
        operation,
        against: "the bytes and the disk alone",
        unit: "MB/s",
        cells: [{ connections: 1, limit: figureOf(found.limit), ours: figureOf(found.ours) }],
        goal: least(0.6),
        bound: defined(bounds[operation]),
      });
    }
    for (const [operation, { ours, limit }] of Object.entries(sides)) {
      const rise = (target: Target, connection: Connection, request: Buffer) =>
        memoryRise(target.pid, async () => {
          for (let round = 0; round < run.scale.rounds; round++) await speedOf(connection, request, content.length);
        });
      const bareRise = await rise(bare, toBare, limit);
      const ownRise = await rise(svc, toSvc, ours);
      run.row({
        part,
        operation: `${RISE} ${operation.replace("load", "loads")}`,
        against: "the bytes and the disk alone",
        unit: "MB more",
        cells: [{ limit: figureOf([bareRise]), ours: figureOf([ownRise]) }],
        goal: { kind: "most", value: 50 },
        bound: "a file is never whole in memory, only the pieces under way",
      });
    }
  } finally {
    toSvc.close();
    toBare.close();
    await svc.stop();
    await bare.stop();
    await store.remove();
  }
}

function multipart(documentId: string, content: Buffer): Buffer {
  const head = `--b\r\ncontent-disposition: form-data; name="document_id"\r\n\r\n${documentId}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="f.bin"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--b--\r\n")]);
}

/** Megabytes per second of one request. */
function speedOf(connection: Connection, request: Buffer, bytes: number): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    connection.send(request, (error, status) => {
      if (error || status >= 400) reject(error ?? new Error(`status ${status}`));
      else resolve(bytes / 1000 / (performance.now() - begin));
    });
  });
}
