/**
 * Memory under a walk over many documents: reads the body of each in every format, and prints the resident memory as it
 * goes. It must level off below a bound that does not depend on the number of documents. Setting: DOCUMENTS.
 */
import { readFileSync } from "node:fs";
import { makeApp } from "@svc/server/app";
import { readConfig } from "@svc/server/config";
import { createUser } from "@svc/server/resources/accounts/create-user";
import { parseNewBody } from "@svc/server/resources/content/parse-content";
import { createDocument } from "@svc/server/resources/documents/create-document";
import { insertKnowledgeBase } from "@svc/server/resources/knowledge-bases/queries";
import { createToken } from "@svc/server/resources/tokens/create-token";
import { drive } from "./drive.ts";
import { makeDataDir, SVC_SERVER, start } from "./servers.ts";

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 10_000);
const STEPS = 10;
const store = makeDataDir();
const settings = { SVC_DATA_DIR: store.directory, SVC_RATE_LIMIT: "1000000000", SVC_LOG_LEVEL: "info" };

/** About 10 KB of Markdown, different for each document. */
const article = (n: number): string =>
  Array.from({ length: 40 }, (_, i) =>
    i % 8 === 0 ? `## Part ${i} of ${n}` : `${`Some words of document ${n}, **part ${i}**. `.repeat(7)}`,
  ).join("\n\n");

async function fill(): Promise<{ token: string; ids: string[] }> {
  const app = await makeApp(readConfig({ ...settings, SVC_LOG_LEVEL: "silent" }));
  const { database, config } = app.services;
  const ids: string[] = [];
  const { token, actor, workspaceId, base } = await database.transaction(async (tx) => {
    const user = await createUser(tx, { email: "a@example.com", name: "Ada", passwordHash: "unused" });
    const { token, tokenId } = await createToken(tx, { ...user, name: "bench", access: "read_write" });
    const times = { created_at: Date.now(), updated_at: Date.now() };
    const base = await insertKnowledgeBase(tx, {
      workspace_id: user.workspaceId,
      confirm_id: "kb",
      name: "B",
      ...times,
    });
    const client = { name: null, version: null, agent: false };
    return { token, base: base.id, workspaceId: user.workspaceId, actor: { userId: user.userId, tokenId, client } };
  });
  for (let from = 0; from < DOCUMENTS; from += 200)
    await database.transaction(async (tx) => {
      for (let i = from; i < Math.min(DOCUMENTS, from + 200); i++) {
        const blocks = await parseNewBody({ format: "markdown", content: article(i) }, "document", config);
        const title = `Document ${i}`;
        ids.push(
          (await createDocument(app.services, tx, { workspaceId, title, knowledgeBaseId: base, blocks, actor })).id,
        );
      }
    });
  await app.close();
  return { token, ids };
}

const { token, ids } = await fill();
const server = await start(SVC_SERVER, settings);
const pid = server.child.pid!;
const resident = () =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);
const formats = ["tiptap-json", "markdown", "html"];
console.log(`idle: ${resident()} MB`);
const size = Math.ceil(ids.length / STEPS);
for (let step = 0; step < STEPS; step++) {
  const some = ids.slice(step * size, (step + 1) * size);
  const callOf = (i: number) => ({
    method: "GET",
    path: `/api/v1/documents/${some[Math.floor(i / 3)]}/content?format=${formats[i % 3]}`,
    headers: { authorization: `Bearer ${token}` },
  });
  await drive({ address: server.address, pid }, callOf, some.length * 3);
  console.log(`after ${(step + 1) * size} documents: ${resident()} MB`);
}
await server.stop();
store.remove();
