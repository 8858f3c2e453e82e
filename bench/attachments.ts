/** Upload and download of large files against a bare Node server on the same disk, and export of many documents. */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { makeDataDir, median, SVC_SERVER, start, svc } from "./servers.ts";

const BYTES = 50 * 1024 * 1024;
const ROUNDS = 5;
const DOCUMENTS = Number(process.env.DOCUMENTS ?? 10_000);
const content = randomBytes(BYTES);

/** The least that can be done: the body goes to a file and comes from it. */
async function startBare(directory: string) {
  const file = join(directory, "bare");
  const server = createServer(async (incoming, reply) => {
    if (incoming.method === "GET") return void pipeline(createReadStream(file), reply).catch(() => undefined);
    await pipeline(incoming, createWriteStream(file, { flush: true }));
    reply.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function call(url: string, method: string, headers: Record<string, string>, parts: Buffer[]): Promise<IncomingMessage> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers: { ...headers, "content-length": length } }, resolve);
    asking.on("error", reject);
    for (const part of parts) asking.write(part);
    asking.end();
  });
}

async function read(reply: IncomingMessage): Promise<{ bytes: number; text: string; sha256: string }> {
  const sum = createHash("sha256");
  let bytes = 0;
  let text = "";
  for await (const chunk of reply) {
    bytes += chunk.length;
    if (bytes < 100_000) text += chunk;
    else if (process.env.CHECK) sum.update(chunk);
  }
  return { bytes, text, sha256: sum.digest("hex") };
}

/** Megabytes per second. */
async function speedOf(work: () => Promise<unknown>, bytes = BYTES): Promise<number> {
  const begin = performance.now();
  await work();
  return bytes / 1048.576 / (performance.now() - begin);
}

/** Resident memory in MB; the peak since the process began. */
const memoryOf = (pid: number | undefined, field: "VmRSS" | "VmHWM"): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
};

const { directory, remove } = makeDataDir();
const settings = { SVC_DATA_DIR: directory, SVC_LOG_LEVEL: "info", SVC_RATE_LIMIT: "1000000" };
await svc(
  settings,
  "users",
  "create",
  "--email",
  "a@example.com",
  "--name",
  "A",
  "--password",
  "correct horse battery",
);
const { token } = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write");
const server = await start(SVC_SERVER, settings);
const bare = await startBare(directory);
const api = `${server.address}/api/v1`;
const authorization = { authorization: `Bearer ${token}` };
const json = { ...authorization, "content-type": "application/json" };
const post = async (path: string, body: unknown) =>
  JSON.parse((await read(await call(api + path, "POST", json, [Buffer.from(JSON.stringify(body))]))).text).data;

const base = await post("/knowledge-bases", { name: "Bench" });
const document = await post("/documents", { title: "Files", knowledge_base_id: base.id });
const head = `--b\r\ncontent-disposition: form-data; name="document_id"\r\n\r\n${document.id}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="f.bin"\r\n\r\n`;
const multipart = { ...authorization, "content-type": "multipart/form-data; boundary=b" };
const upload = async () => {
  const parts = [Buffer.from(head), content, Buffer.from("\r\n--b--\r\n")];
  return JSON.parse((await read(await call(`${api}/attachments`, "POST", multipart, parts))).text).data;
};
const { id } = await upload();
await call(bare.address, "POST", {}, [content]).then(read);
const before = memoryOf(server.child.pid, "VmRSS");
const speeds = { up: [] as number[], bareUp: [] as number[], down: [] as number[], bareDown: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  speeds.up.push(await speedOf(upload));
  speeds.bareUp.push(await speedOf(() => call(bare.address, "POST", {}, [content]).then(read)));
  speeds.down.push(await speedOf(() => call(`${api}/attachments/${id}`, "GET", authorization, []).then(read)));
  speeds.bareDown.push(await speedOf(() => call(bare.address, "GET", {}, []).then(read)));
}
const growth = memoryOf(server.child.pid, "VmHWM") - before;
const [up, bareUp, down, bareDown] = [speeds.up, speeds.bareUp, speeds.down, speeds.bareDown].map(median);
const share = (part: number, whole: number) => `${Math.round((100 * part) / whole)} % of bare`;
console.log(`upload   ${up!.toFixed(0)} MB/s, ${share(up!, bareUp!)} (${bareUp!.toFixed(0)} MB/s)`);
console.log(`download ${down!.toFixed(0)} MB/s, ${share(down!, bareDown!)} (${bareDown!.toFixed(0)} MB/s)`);
console.log(`memory   +${growth.toFixed(0)} MB at most while ${ROUNDS * 2} files of 50 MB went through`);

const many = await post("/knowledge-bases", { name: "Many" });
for (let i = 0; i < DOCUMENTS; i += 50)
  await Promise.all(
    Array.from({ length: Math.min(50, DOCUMENTS - i) }, (_, k) =>
      post("/documents", {
        title: `Document ${i + k}`,
        knowledge_base_id: many.id,
        content: { format: "markdown", content: `# Heading ${i + k}\n\n${"Some words of text. ".repeat(20)}\n` },
      }),
    ),
  );
const resident = memoryOf(server.child.pid, "VmRSS");
const begin = performance.now();
const { bytes } = await read(await call(`${api}/knowledge-bases/${many.id}/export`, "GET", authorization, []));
const seconds = (performance.now() - begin) / 1000;
const grown = memoryOf(server.child.pid, "VmHWM") - resident;
console.log(
  `export   ${DOCUMENTS} documents in ${seconds.toFixed(1)} s (${(DOCUMENTS / seconds).toFixed(0)} per second, ${(bytes / 1e6).toFixed(1)} MB), memory +${Math.max(0, grown).toFixed(0)} MB`,
);
bare.stop();
await server.stop();
rmSync(join(directory, "bare"), { force: true });
remove();
process.exit(0);
