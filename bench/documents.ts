/**
 * Document operations against the limit of each (documents-bare.ts), in turns within one run. Compared is the CPU time
 * that the server spends per request, token check, rate limit and durable writes included: neighbours on the machine
 * hardly change it. Prints each operation's cost, the ratio and the goal. Settings: DOCUMENTS, ROUNDS, ONLY (a part of
 * an operation's name), SVC_DATABASE_URL.
 */
import { type Call, drive, send } from "./drive.ts";
import { makeDataDir, median, SVC_SERVER, start, svc } from "./servers.ts";

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 300);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const READS = 600;
const WRITES = 100;

const words = "time year people way day man thing woman life child world school state family student group".split(" ");
let seed = 1;
const random = (n: number) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};
const sentence = (n: number) =>
  `${Array.from({ length: n }, () => words[random(words.length)]).join(" ")} ${random(1e6)}.`;

/** About 10 KB of Markdown: headings, paragraphs with marks, lists, code. */
function article(): string {
  const parts: string[] = [];
  for (let i = 0; i < 9; i++)
    parts.push(
      `## Part ${i} ${sentence(3)}`,
      `${sentence(40)} **${sentence(3)}** and [a link](https://a.example/${i}) ${sentence(40)}`,
      `- ${sentence(9)}\n- ${sentence(9)}\n- *${sentence(5)}*`,
      `${sentence(60)} \`code\``,
      `\`\`\`js\nconst x = ${random(100)};\n\`\`\``,
    );
  return parts.join("\n\n");
}
const manyBlocks = (count: number) => Array.from({ length: count }, () => sentence(8)).join("\n\n");

const store = makeDataDir();
const settings = {
  SVC_DATA_DIR: store.directory,
  SVC_RATE_LIMIT: "1000000000",
  SVC_LOG_LEVEL: "info",
  ...(process.env.SVC_DATABASE_URL && { SVC_DATABASE_URL: process.env.SVC_DATABASE_URL }),
};
await svc(settings, "users", "create", "--email", "a@example.com", "--name", "Ada", "--password", "long enough");
const { token } = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write");
const headers = { authorization: `Bearer ${token}`, "user-agent": "bench/1.0 (Bench)" };
const jsonHeaders = { ...headers, "content-type": "application/json" };
const bareRun = await start(new URL("documents-bare.ts", import.meta.url).pathname, { BENCH_DATA: store.directory });
let fullRun = await start(SVC_SERVER, settings);
const bare = { address: bareRun.address, pid: bareRun.child.pid! };
let full = { address: `${fullRun.address}/api/v1`, pid: fullRun.child.pid! };

const ask = async (method: string, path: string, body?: unknown) =>
  JSON.parse(
    await send(full.address, { method, path, headers: jsonHeaders, ...(body ? { body: JSON.stringify(body) } : {}) }),
  );
const base = (await ask("POST", "/knowledge-bases", { name: "Base" })).data.id;
const newDocument = (text: string) => ({
  title: sentence(4),
  knowledge_base_id: base,
  content: { format: "markdown", content: text },
});
const ids: string[] = [];
for (let i = 0; i < DOCUMENTS; i++) {
  const text = article();
  const { data } = await ask("POST", "/documents", newDocument(text));
  ids.push(data.id);
  const body = JSON.stringify({ text, meta: JSON.stringify(data) });
  await send(bare.address, {
    method: "POST",
    path: `/create/${data.id}`,
    headers: { "content-type": "application/json" },
    body,
  });
}
const sized = async (count: number) => {
  const { data } = await ask("POST", "/documents", newDocument(manyBlocks(count)));
  const blocks = (await ask("GET", `/documents/${data.id}/blocks?limit=100`)).data as { id: string }[];
  return { id: data.id as string, blocks: blocks.map((block) => block.id) };
};
const small = await sized(100);
const large = await sized(10_000);
const firstBlock = (await ask("GET", `/documents/${ids[0]}/blocks`)).data[1].id;
const { version } = (await ask("GET", `/documents/${ids[0]}`)).data;

const get = (path: string, more: Record<string, string> = {}): Call => ({
  method: "GET",
  path,
  headers: { ...headers, ...more },
});
const write = (method: string, path: string, body: unknown): Call => ({
  method,
  path,
  headers: { ...jsonHeaders, "if-match": "*" },
  body: JSON.stringify(body),
});
const idAt = (i: number) => ids[i % Math.min(ids.length, 50)]!;
const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const editOf = (document: { id: string; blocks: string[] }, i: number) =>
  write("PATCH", `/documents/${document.id}/blocks/${document.blocks[i % document.blocks.length]}`, {
    node: paragraph(sentence(9)),
  });
const batchOf = (document: { id: string; blocks: string[] }) =>
  write("POST", `/documents/${document.id}/batch`, {
    operations: document.blocks.map((block_id) => ({ op: "replace", block_id, node: paragraph(sentence(9)) })),
  });

interface Operation {
  readonly name: string;
  readonly goal: string;
  readonly count: number;
  readonly limit: (i: number) => Call;
  readonly ours: (i: number) => Call;
  /** True when the ratio of limit to ours is enough. */
  readonly enough: number;
}
const reading = (name: string, limit: string, ours: (i: number) => Call): Operation => ({
  name,
  goal: "≥ 50 %",
  enough: 0.5,
  count: READS,
  limit: (i) => get(`${limit}${limit.endsWith("/") ? idAt(i) : ""}`),
  ours,
});
const articles = Array.from({ length: 20 }, article);
const saveLimit = (i: number) => write("PUT", `/save/${idAt(i)}`, { text: articles[i % 20] });
const rowLimit = (i: number) => write("PUT", `/row/${idAt(i)}`, { text: articles[i % 20] });

const operations: Operation[] = [
  reading("metadata", "/meta/", (i) => get(`/documents/${idAt(i)}`)),
  reading("body as Tiptap JSON", "/body/", (i) => get(`/documents/${idAt(i)}/content`)),
  reading("body as Markdown", "/body/", (i) => get(`/documents/${idAt(i)}/content?format=markdown`)),
  reading("body as HTML", "/body/", (i) => get(`/documents/${idAt(i)}/content?format=html`)),
  reading("304", "/same/", () => get(`/documents/${ids[0]}/content`, { "if-none-match": `"${version}"` })),
  reading("list of 25", "/list", () => get("/documents?limit=25")),
  { ...reading("tree", "/tree", () => get(`/knowledge-bases/${base}/tree`)), count: 100 },
  reading("outline", "/outline/", (i) => get(`/documents/${idAt(i)}/outline`)),
  reading("block", "/block/", () => get(`/documents/${ids[0]}/blocks/${firstBlock}`)),
  {
    name: "replace, wholly new",
    goal: "≥ 80 %",
    enough: 0.8,
    count: WRITES,
    limit: saveLimit,
    ours: (i) =>
      write("PUT", `/documents/${idAt(i)}/content`, { format: "markdown", content: `${articles[i % 20]}${i}` }),
  },
  {
    name: "replace, one paragraph changed",
    goal: "≥ 200 %",
    enough: 2,
    count: WRITES,
    limit: saveLimit,
    ours: (i) => ({
      ...write("PUT", `/documents/${anchored.id}/content`, { format: "markdown", content: anchored.text(i) }),
    }),
  },
  { name: "edit a block", goal: "≥ 50 %", enough: 0.5, count: WRITES, limit: rowLimit, ours: (i) => editOf(small, i) },
  {
    name: "edit a block of 10,000 (limit: of 100)",
    goal: "≥ 33 %",
    enough: 0.33,
    count: WRITES,
    limit: (i) => editOf(small, i),
    ours: (i) => editOf(large, i),
  },
  {
    name: "batch of 100 (limit: one edit)",
    goal: "≥ 10 %",
    enough: 0.1,
    count: 20,
    limit: (i) => editOf(small, i),
    ours: () => batchOf(small),
  },
  {
    name: "create with 10 KB",
    goal: "≥ 25 %",
    enough: 0.25,
    count: WRITES,
    limit: () => write("POST", `/create/${random(1e9)}-${random(1e9)}`, { text: articles[0], meta: "{}" }),
    ours: (i) => write("POST", "/documents", newDocument(articles[i % 20]!)),
  },
];

/** A document with anchors, of which one paragraph changes at a time. */
const anchored = await (async () => {
  const { data } = await ask("POST", "/documents", newDocument(articles[0]!));
  const text = await send(full.address, get(`/documents/${data.id}/content?format=markdown&annotate=anchors`));
  return { id: data.id as string, text: (i: number) => text.replace(/\d+\.\n/, `${i + random(1e6)}.\n`) };
})();

const only = process.env.ONLY;
for (const { name, goal, enough, count, limit, ours } of operations) {
  if (only && !name.includes(only)) continue;
  const costs = { limit: [] as number[], ours: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const usesFull = name.includes("(limit:");
    const a = await drive(usesFull ? full : bare, limit, count);
    const b = await drive(full, ours, count);
    if (round === 0) continue;
    costs.limit.push(a.cpu);
    costs.ours.push(b.cpu);
  }
  const ratio = median(costs.limit) / median(costs.ours);
  const verdict = ratio >= enough ? "met" : "MISSED";
  console.log(
    `${name}: limit ${median(costs.limit).toFixed(0)} µs, ours ${median(costs.ours).toFixed(0)} µs, ${(ratio * 100).toFixed(0)} % (goal ${goal}) ${verdict}`,
  );
}

/** First reads after a start: nothing is in memory. */
if (!only || "cold".includes(only))
  for (const format of ["tiptap-json", "markdown", "html"]) {
    await fullRun.stop();
    fullRun = await start(SVC_SERVER, settings);
    full = { address: `${fullRun.address}/api/v1`, pid: fullRun.child.pid! };
    const warmUp = ids.slice(0, 50);
    const rest = ids.slice(50, 250);
    await drive(full, (i) => get(`/documents/${warmUp[i % 50]}/content?format=${format}`), READS);
    const cold = await drive(full, (i) => get(`/documents/${rest[i]}/content?format=${format}`), rest.length);
    const warm = await drive(full, (i) => get(`/documents/${rest[i % rest.length]}/content?format=${format}`), READS);
    const times = cold.cpu / warm.cpu;
    console.log(
      `cold ${format}: ${cold.cpu.toFixed(0)} µs, warm ${warm.cpu.toFixed(0)} µs, ${times.toFixed(1)} times (goal ≤ 3) ${times <= 3 ? "met" : "MISSED"}`,
    );
  }

await bareRun.stop().catch(() => undefined);
await fullRun.stop();
store.remove();
