import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { processBudget } from "@svc/server/cache/budget";
import { finishedTasks } from "@svc/server/threads/pool";
import { assertStatus } from "../../support/client.ts";
import { makeDocument, makeFolder, markdown } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { stayInOneDay } from "../../support/until.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type Person } from "../../support/world.ts";

/** A page whose rendering could keep others waiting. */
const long = (word: string): string => `# ${word}\n\n\`\`\`\n${"let some = code;\n".repeat(2000)}\`\`\`\n`;

const share = async ({ client }: Person, path: string): Promise<string> =>
  assertStatus(await client.post(`/${path}/public-share`), 200).data.url;

/** Tasks that the pool of threads finished meanwhile. */
async function tasksOf(run: () => Promise<unknown>): Promise<number> {
  const began = finishedTasks();
  await run();
  return finishedTasks() - began;
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();
const write = async ({ client }: Person, id: string, text: string) =>
  assertStatus(await client.put(`/documents/${id}/content`, markdown(text), { ifMatch: "*" }), 200);

onEachDatabase("the rendering of public pages", (world) => {
  test("SHARE17 a long page is rendered in a thread, once for all who read the same version of it", async () => {
    const person = await world.person();
    const { id } = await makeDocument(person.client, { title: "Old", text: long("First") });
    const url = await share(person, `documents/${id}`);
    const read = async () => assert.match(await textOf(url), /First[\s\S]*let some[\s\S]*Shared read-only/);
    assert.equal(await tasksOf(() => Promise.all([read(), read()])), 1);
    assert.equal(await tasksOf(read), 0);
    assertStatus(await person.client.patch(`/documents/${id}`, { title: "New" }), 200);
    assert.equal(await tasksOf(async () => assert.match(await textOf(url), /<h1 dir="auto">New<[\s\S]*First/)), 0);
    await write(person, id, long("Second"));
    assert.equal(await tasksOf(async () => assert.match(await textOf(url), /Second[\s\S]*let some/)), 1);
    assertStatus(await person.client.delete(`/documents/${id}/public-share`), 200);
    assert.equal((await fetch(url)).status, 404);
  });

  test("SHARE17 a short page is rendered once, too, and shows links as they lead now", async () => {
    const person = await world.person();
    const { client } = person;
    const folder = await makeFolder(client, { name: "Guides" });
    const { knowledge_base_id } = folder;
    const other = await makeDocument(client, { knowledge_base_id, folder_id: folder.id, title: "Other" });
    const text = `Red [there](svc://doc/${other.id}) and [[Other]].\n`;
    const { id } = await makeDocument(client, { knowledge_base_id, folder_id: folder.id, title: "One", text });
    const url = `${await share(person, `folders/${folder.id}`)}/pages/${id}`;
    const links = async () => [...(await textOf(url)).matchAll(/<a href="[^"]*"[^>]*>(there|Other)</g)].length;
    const shown = await links();
    const hits = () => defined(processBudget.figures().find(({ name }) => name === "share_pages")).hits;
    const before = hits();
    assert.equal(await links(), shown);
    assert.equal(hits(), before + 1);
    assertStatus(await client.patch(`/documents/${other.id}`, { folder_id: null }), 200);
    assert.ok((await links()) < shown, "the other page is no longer in the site");
  });

  test("SHARE17 a long page of members is rendered in a thread", async () => {
    const person = await world.person();
    const { id } = await makeDocument(person.client, { text: long("Third") });
    const browser = new Visitor(world.url);
    browser.keep(await signIn(world, person));
    const read = async () => assert.match(await (await browser.fetch(`/documents/${id}`)).text(), /let some = code/);
    assert.equal(await tasksOf(read), 1);
  });
});

onEachDatabase(
  "a public link whose page changes all the time",
  (world) => {
    before(stayInOneDay);

    test("SHARE18 a link may cause a fiftieth as many long renderings as an address may send requests", async () => {
      const person = await world.person();
      const { id } = await makeDocument(person.client, { text: long("0") });
      const [url, other] = [await share(person, `documents/${id}`), await makeDocument(person.client)];
      const statuses: number[] = [];
      for (const word of ["1", "2", "3"]) {
        await write(person, id, long(word));
        statuses.push((await fetch(url)).status);
      }
      assert.deepEqual(statuses, [200, 200, 429]);
      const refused = await fetch(url);
      assert.ok(Number(refused.headers.get("retry-after")) >= 1);
      await write(person, id, "Short.\n");
      assert.match(await textOf(url), /Short/);
      await write(person, other.id, long("other"));
      assert.match(await textOf(await share(person, `documents/${other.id}`)), /let some = code/);
    });
  },
  { SVC_RATE_LIMIT: "100", SVC_RATE_LIMIT_WINDOW_S: "86400" },
);
