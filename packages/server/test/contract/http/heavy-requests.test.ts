import assert from "node:assert/strict";
import { before, test } from "node:test";
import { finishedTasks } from "@svc/server/threads/pool";
import { assertStatus, type Client } from "../../support/client.ts";
import { makeDocument, makeKnowledgeBase, markdown } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

const paragraphs = (word: string): string =>
  Array.from({ length: 600 }, (_, i) => `Paragraph ${i} has ${word} words, ${word} numbers and a ${word} end.`).join(
    "\n\n",
  );
const code = `\`\`\`js\n${"let some = code(1);\n".repeat(1500)}\`\`\`\n`;
const sheet = `| a |\n| --- |\n${'| =LEN(PROPER(REPT("aB 1",8000))) |\n'.repeat(10)}`;

onEachDatabase("the heaviest single requests", (world) => {
  let person: Person;
  let client: Client;
  let browser: Visitor;
  let [since, textId, codeId, sheetId] = [0, "", "", ""];

  before(async () => {
    person = await world.person();
    client = person.client;
    browser = new Visitor(world.url);
    browser.keep(await signIn(world, person));
    const { id: knowledge_base_id } = await makeKnowledgeBase(client);
    textId = (await makeDocument(client, { knowledge_base_id, text: paragraphs("old") })).id;
    codeId = (await makeDocument(client, { knowledge_base_id, text: code })).id;
    sheetId = (await makeDocument(client, { knowledge_base_id, document_type: "spreadsheet", text: sheet })).id;
    since = Date.now() + 1;
    while (Date.now() <= since) await new Promise((resolve) => setTimeout(resolve, 1));
    assertStatus(await client.put(`/documents/${textId}/content`, markdown(paragraphs("new")), { ifMatch: "*" }), 200);
  });

  const page = async (path: string) => assert.equal((await browser.fetch(path)).status, 200, path);
  const read = async (path: string) => assertStatus(await client.get(path), 200);

  const requests: Readonly<Record<string, () => Promise<unknown>>> = {
    "the difference of two long versions": async () => {
      const { data } = await read(`/documents/${textId}/versions/1/diff`);
      assert.equal(data.changes.length, 1200, "600 paragraphs went, 600 came");
    },
    "the page of that difference": () => page(`/documents/${textId}/versions/1`),
    "the changes since a time": async () => {
      const { data } = await read(`/changes/diff?since=${since}`);
      assert.match(data[0].changes.at(-1).after, /new words/);
    },
    "a page with long code": () => page(`/documents/${codeId}`),
    "the editor of that page": () => page(`/documents/${codeId}/edit`),
    "a spreadsheet of long formulas": () => page(`/documents/${sheetId}`),
  };

  for (const [name, send] of Object.entries(requests))
    test(`BODY33 ${name}: a thread does the work while others read`, async () => {
      const began = finishedTasks();
      const [health, own] = await Promise.all([fetch(`${world.url}/healthz`), client.get("/me"), send()]);
      assert.deepEqual([health.status, own.status], [200, 200]);
      assert.ok(finishedTasks() > began, "no thread worked on it");
    });
});
