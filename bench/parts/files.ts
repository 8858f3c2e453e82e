import { randomBytes } from "node:crypto";
import { defined } from "@svc/document/defined";
import { Api } from "../harness/api.ts";
import { Connection } from "../harness/connection.ts";
import type { Target } from "../harness/drive.ts";
import { bareServer, SVC_SERVER, startServer } from "../harness/processes.ts";
import { memoryRise } from "../harness/processor.ts";
import { bytesOf } from "../harness/request.ts";
import { figureOf } from "../harness/results.ts";
import type { Run } from "../harness/run.ts";
import { makeStore } from "../harness/store.ts";
import { least } from "./operation.ts";

const part = "files";

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
