/** What inline links cost a write, and what pages of back-links cost at depth; SQLite, in one process. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "@svc/document/defined";
import { a, doc, p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { makeApp } from "@svc/server/app";
import { readConfig } from "@svc/server/config";
import { createUser } from "@svc/server/resources/accounts/create-user";
import { createToken } from "@svc/server/resources/tokens/create-token";
import { relationsView } from "@svc/server/views/relations/view";
import { ratio } from "./document-sample.ts";

const dataDir = mkdtempSync(join(tmpdir(), "svc-bench-"));
const app = await makeApp(readConfig({ SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: "silent", SVC_RATE_LIMIT: "10000000" }));
const { database } = app.services;

const token = await database.transaction(async (tx) => {
  const user = await createUser(tx, { email: "bench@example.com", name: "Bench", passwordHash: "unused" });
  const { userId, workspaceId } = user;
  return (await createToken(tx, { userId, workspaceId, name: "bench", access: "read_write" })).token;
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
async function call(method: "GET" | "POST" | "PATCH", path: string, payload?: object): Promise<any> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await app.server.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  if (reply.statusCode >= 300) throw new Error(reply.body);
  return reply.json();
}

const kb = (await call("POST", "/knowledge-bases", { name: "Bench" })).data.id;
const make = async (nodes: Node[]): Promise<{ id: string; uri: string }> => {
  const content = { format: "tiptap-json", document: doc(...nodes) };
  return (await call("POST", "/documents", { title: "Bench", knowledge_base_id: kb, content })).data;
};

const median = (times: readonly number[]): number => defined(times.toSorted((x, y) => x - y)[times.length >> 1]);

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const hub = await make([p("hub")]);
const links = (count: number, uri: string) => Array.from({ length: count }, (_, i) => p(a(uri, `link ${i}`)));
for (let i = 0; i < 100; i++) await make(links(100, hub.uri));

/** Milliseconds of the view, as part of one write. */
let inView = 0;
const update = defined(relationsView.bodyChanged);
relationsView.bodyChanged = async (...given) => {
  const start = performance.now();
  await update(...given);
  inView = performance.now() - start;
};

interface Edited {
  readonly id: string;
  readonly blocks: readonly { id: string }[];
  readonly whole: number[];
  readonly view: number[];
}

async function makeEdited(count: number): Promise<Edited> {
  const { id } = await make(links(count, hub.uri));
  return { id, blocks: (await call("GET", `/documents/${id}/blocks`)).data, whole: [], view: [] };
}

async function edit({ id, blocks, whole, view }: Edited, turn: number): Promise<void> {
  const content = [a(`svc://doc/doc_${turn}`, "edited")];
  const block = defined(blocks[turn % blocks.length]).id;
  whole.push(await timeOf(() => call("PATCH", `/documents/${id}/blocks/${block}`, { content })));
  view.push(inView);
}

// Turn about, so that what else runs on the machine troubles both alike.
const few = await makeEdited(20);
const many = await makeEdited(1000);
for (let turn = 0; turn < 150; turn++) {
  await edit(few, turn);
  await edit(many, turn);
}
const told = ({ view, whole }: Edited) => `${median(view).toFixed(2)} ms of ${median(whole).toFixed(2)}`;
console.log(
  `another target for one link: among 20 links ${told(few)}, among 1,000 ${told(many)}: ${ratio(median(many.view), median(few.view))}`,
);

const path = `/documents/${hub.id}/relations?direction=incoming&limit=100`;
const cursors = [""];
for (let page = (await call("GET", path)).page; page.has_more; ) {
  cursors.push(`&cursor=${page.next_cursor}`);
  page = (await call("GET", path + cursors.at(-1))).page;
}
const first: number[] = [];
const last: number[] = [];
for (let turn = 0; turn < 150; turn++) {
  first.push(await timeOf(() => call("GET", path)));
  last.push(await timeOf(() => call("GET", path + cursors.at(-2))));
}
console.log(
  `${cursors.length} pages of back-links: first ${median(first).toFixed(2)} ms, last ${median(last).toFixed(2)} ms: ${ratio(median(last), median(first))}`,
);

await app.close();
rmSync(dataDir, { recursive: true, force: true });
