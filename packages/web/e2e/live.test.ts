import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { cellText } from "@svc/document/sheet/table-source";
import { p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { changeRole } from "@svc/server/domain/identity/members/change-members";
import { sweepLive } from "@svc/server/domain/live/start-live";
import type { Page } from "playwright-core";
import { textsOf } from "../../server/test/support/bodies.ts";
import { assertStatus } from "../../server/test/support/client.ts";
import { SVC } from "../../server/test/support/process.ts";
import { sleepAwake, until } from "../../server/test/support/until.ts";
import { inBrowser, stopClock } from "./browser.ts";
import { chooseMode } from "./document-page.ts";
import { clickEnd, fallAsleep, openTwo, saved, written } from "./two-people.ts";

const run = promisify(execFile);
const SHOTS = process.env.SVC_TEST_SHOTS;
const surface = ".ProseMirror";

const shown = (page: Page) => page.locator(`${surface} > *`).allTextContents();

inBrowser("the live editor", (stage) => {
  /** Pictures of pages on a wide and a narrow screen, for people to look at. */
  async function shots(pages: Readonly<Record<string, Page>>): Promise<void> {
    if (!SHOTS) return;
    for (const [name, page] of Object.entries(pages))
      for (const width of [400, 1280]) {
        await page.setViewportSize({ width, height: 720 });
        await page.screenshot({ path: `${SHOTS}/live-${name}-${width}.png` });
      }
  }

  test("LIVE17 two browsers and a program write one page at once: all three see all of it", async () => {
    const { id, client, a, b, problems } = await openTwo(stage, "# Plans\n\nFirst line.\n\nSecond line.\n");
    await clickEnd(a, 1);
    await clickEnd(b, 2);
    await Promise.all([
      a.keyboard.type(" Ada writes here.", { delay: 15 }),
      b.keyboard.type(" Bob writes there.", { delay: 15 }),
      client
        .post(`/documents/${id}/blocks`, { position: { document_end: true }, nodes: [p("From a program.")] })
        .then((answer) => assertStatus(answer, 201)),
    ]);
    const all = ["Plans", "First line. Ada writes here.", "Second line. Bob writes there.", "From a program."];
    await until("the body has all", async () => (await textsOf(client, id)).join() === all.join());
    for (const page of [a, b]) {
      await saved(page);
      await page.locator(surface, { hasText: "From a program." }).waitFor();
      await until("the page shows all", async () => (await shown(page)).at(-1) === all.at(-1));
    }
    await a.locator(".caret-name", { hasText: "Bob" }).waitFor();
    await b.locator('[data-editor-part="people"]', { hasText: "Ada" }).waitFor();
    await shots({ a, b });
    assert.deepEqual(problems, []);
  });

  test("LIVE17 one types on in one's line while somebody else moves it, splits it and turns it into something else", async () => {
    const { a, b, client, id, problems } = await openTwo(stage, "First\n\nMy words\n\nLast");
    const isShown = (wanted: string) =>
      until(`Ada sees ${wanted}`, async () => (await written(a)).join(" / ") === wanted);
    await clickEnd(a, 1);
    await a.keyboard.type("1");
    await b.locator(`${surface} > *`, { hasText: "words1" }).click();
    await b.keyboard.press("Home");
    await b.keyboard.press("Alt+ArrowUp");
    await isShown("My words1 / First / Last");
    await a.keyboard.type("2");
    await b.locator(`${surface} > *`, { hasText: "words12" }).waitFor();
    await b.keyboard.type("## ");
    await a.locator(`${surface} > h2`).waitFor();
    await a.keyboard.type("3");
    await b.locator(`${surface} > h2`, { hasText: "words123" }).waitFor();
    await b.keyboard.press("Control+ArrowRight");
    await b.keyboard.press("Enter");
    await isShown("My /  words123 / First / Last");
    await a.keyboard.type("4");
    await b.locator(`${surface} > *`, { hasText: "words1234" }).waitFor();
    await b.keyboard.press("Backspace");
    await isShown("My words1234 / First / Last");
    await a.keyboard.type("5");
    const texts = ["My words12345", "First", "Last"];
    await until("all is there", async () => (await textsOf(client, id)).join() === texts.join());
    assert.deepEqual(problems, []);
  });

  test("LIVE17 who types in a line that somebody else deletes goes on in a line of their own, also after others write", async () => {
    const { a, b, client, id, problems } = await openTwo(stage, "First\n\nMine\n\nLast\n", "editor", stopClock);
    const isText = (wanted: readonly string[]) =>
      until(`it is ${wanted}`, async () => (await textsOf(client, id)).join() === wanted.join());
    await clickEnd(a, 1);
    await a.keyboard.type(" too");
    await b.locator(`${surface} > *`, { hasText: "Mine too" }).click();
    await b.keyboard.press("Control+Shift+Backspace");
    await a.locator(".ProseMirror-gapcursor").waitFor({ state: "attached" });
    await clickEnd(b, 0);
    await b.keyboard.type("!");
    await a.locator(surface, { hasText: "First!" }).waitFor();
    await a.keyboard.type("Still here");
    await isText(["First!", "Still here", "Last"]);
    // One's own undo puts the caret to the line before, not between lines.
    await a.keyboard.press("Control+z");
    await isText(["First!", "Last"]);
    await a.keyboard.type("?");
    await isText(["First!?", "Last"]);
    assert.deepEqual(problems, []);
  });

  test("LIVE17 what one writes after others deleted everything stands at its place when they take that back", async () => {
    const { a, b, problems, isText } = await openTwo(stage, "First\n\nMine\n\nLast\n");
    await clickEnd(a, 1);
    await b.locator(`${surface} > *`).first().click();
    await b.keyboard.press("Control+a");
    await b.keyboard.press("Delete");
    await until("all is gone", async () => (await written(a)).join() === "");
    await a.keyboard.type("Again");
    await isText("Again");
    await b.keyboard.press("Control+z");
    await isText("First", "Mine", "Again", "Last");
    assert.deepEqual(problems, []);
  });

  test("LIVE17 two browsers type while svc append adds to the end", async () => {
    const { id, client, a, b, problems } = await openTwo(stage, "First line.\n\nSecond line.\n");
    await clickEnd(a, 0);
    await clickEnd(b, 1);
    const env = { ...process.env, SVC_URL: stage.world.url, SVC_TOKEN: client.token ?? "" };
    const append = async () => {
      for (const text of ["Appended once.", "Appended twice."])
        await run(process.execPath, [SVC, "append", id, "--text", text], { env });
    };
    await Promise.all([
      a.keyboard.type(" Ada types on and on.", { delay: 40 }),
      b.keyboard.type(" Bob types on and on.", { delay: 40 }),
      append(),
    ]);
    const lines = ["First line. Ada types on and on.", "Second line. Bob types on and on."];
    const all = [...lines, "Appended once.", "Appended twice."];
    await until("the body has all", async () => (await textsOf(client, id)).join() === all.join());
    for (const page of [a, b])
      await until("the page shows all", async () => (await written(page)).join() === all.join());
    await shots({ "append-a": a, "append-b": b });
    assert.deepEqual(problems, []);
  });

  test("LIVE9 a viewer watches the text arrive, cannot type and sends no edit", async () => {
    const { id, client, a, b, sentByBob } = await openTwo(stage, "First line.\n", "viewer");
    await b.locator(surface, { hasText: "First line." }).waitFor();
    await b.locator(`${surface} > *`).first().click();
    await b.keyboard.type("Bob may not.");
    await clickEnd(a, 0);
    await a.keyboard.type(" Ada writes.");
    await b.locator(surface, { hasText: "First line. Ada writes." }).waitFor();
    assert.equal(await b.locator(`${surface}[contenteditable="true"]`).count(), 0);
    assert.deepEqual(await written(b), ["First line. Ada writes."]);
    await saved(a);
    assert.deepEqual(await textsOf(client, id), ["First line. Ada writes."]);
    assert.deepEqual(sentByBob, []);
    assert.equal(await b.getByRole("toolbar", { name: "Formatting" }).count(), 0);
    await shots({ viewer: b });
  });

  test("LIVE18 blocks that are made by Enter get ids of their own, the text keeps its id; undo takes back one's own edits only", async () => {
    const { id, client, a, b, problems } = await openTwo(stage, "One.\n\nTwo.\n", "editor", stopClock);
    const before = (await client.get(`/documents/${id}/blocks`)).data.map((block: { id: string }) => block.id);
    await clickEnd(a, 0);
    await a.keyboard.press("Enter");
    await a.keyboard.type("New");
    await saved(a);
    await clickEnd(b, 2);
    await b.keyboard.type(" by Bob");
    await saved(b);
    await b.keyboard.press("Home");
    await b.keyboard.press("Enter");
    await saved(b);
    await until("all is there", async () => (await textsOf(client, id)).join("|") === "One.|New||Two. by Bob");
    const after = (await client.get(`/documents/${id}/blocks`)).data.map((block: { id: string }) => block.id);
    assert.deepEqual([after[0], after[3], new Set(after).size], [before[0], before[1], 4]);
    await a.keyboard.press("Control+z");
    await a.keyboard.press("Control+z");
    await until("Ada's line is gone", async () => (await textsOf(client, id)).join("|") === "One.||Two. by Bob");
    assert.deepEqual(problems, []);
  });

  test("LIVE5 who leaves the editor in the middle of a word reads it on the page, which does not tell them of themselves", async () => {
    const { a, problems } = await openTwo(stage, "One.\n");
    a.on("dialog", (dialog) => dialog.accept());
    await clickEnd(a, 0);
    await a.keyboard.type(" And two");
    await chooseMode(a, "Viewing");
    await a.locator(".prose", { hasText: "One. And two" }).waitFor();
    await sleepAwake(1500);
    assert.equal(await a.getByText("changed this page").count(), 0);
    assert.deepEqual(problems, []);
  });

  test("LIVE19 offline the page keeps what is typed and says so; back online it is saved", async () => {
    const { id, client, a } = await openTwo(stage, "One.\n");
    await clickEnd(a, 0);
    await a.context().setOffline(true);
    await a.locator('[data-editor-part="status"]', { hasText: "Offline · saved on this device" }).waitFor();
    await a.keyboard.type(" offline");
    await a.context().setOffline(false);
    await saved(a);
    await until("it is in the body", async () => (await textsOf(client, id)).join() === "One. offline");
  });

  /** By how far the server's clock has gone on when the laptop comes back. */
  for (const [what, later] of [
    ["a minute", 60_000],
    ["a day: its live state was dropped", 25 * 3_600_000],
  ] as const)
    test(`LIVE12 a laptop that slept for ${what} brings its words into what others wrote meanwhile`, async () => {
      const { id, client, a, b, problems } = await openTwo(stage, "One.\n\nTwo.\n\nThree.\n");
      await clickEnd(a, 0);
      await a.keyboard.type(" before");
      await saved(a);
      await fallAsleep(stage, a);
      await a.keyboard.type(" asleep");
      await shots({ [`asleep-${later}`]: a });
      await saved(b);
      await clickEnd(b, 1);
      await b.keyboard.type(" by Bob");
      await saved(b);
      await b.close();
      const key = { workspaceId: (await client.get("/me")).data.workspace.id, documentId: id };
      const { services } = stage.world.app;
      await until("nobody is there", async () => (await client.get(`/documents/${id}/live`)).data.editors.length === 0);
      const epochOf = async () =>
        (
          await services.database.read
            .selectFrom("live_documents")
            .select("epoch")
            .where("document_id", "=", id)
            .executeTakeFirst()
        )?.epoch;
      const epoch = await epochOf();
      await services.live.reconcile(key);
      await sweepLive(services, Date.now() + later);
      assert.equal(await epochOf(), later > 24 * 3_600_000 ? undefined : epoch);
      await a.context().setOffline(false);
      const all = ["One. before asleep", "Two. by Bob", "Three."];
      await until("the body has all", async () => (await textsOf(client, id)).join() === all.join());
      await until("the page shows all", async () => (await written(a)).join() === all.join());
      await saved(a);
      await shots({ [`awake-${later}`]: a });
      assert.deepEqual(
        problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem)),
        [],
      );
    });

  test("LIVE11 a row that one adds offline and a column that another adds meanwhile make a square table, in all browsers", async () => {
    const { id, client, a, b } = await openTwo(stage, "| a | b |\n| - | - |\n| c | d |\n");
    const tool = async (page: Page, menu: string, name: string) => {
      await page.getByRole("button", { name: menu, exact: true }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    const cell = (page: Page, text: string) => page.locator(`${surface} :is(td, th)`, { hasText: text });
    await fallAsleep(stage, a);
    await cell(a, "c").click();
    await tool(a, "Row", "Row below");
    await a.keyboard.press("ArrowDown");
    await a.keyboard.type("asleep");
    await saved(b);
    await cell(b, "a").click();
    await tool(b, "Column", "Column after");
    await b.keyboard.press("ArrowRight");
    await b.keyboard.type("new");
    await saved(b);
    await a.context().setOffline(false);
    const rows = (page: Page) =>
      page.evaluate<string[]>(`[...document.querySelectorAll("${surface} tr")].map((row) =>
        [...row.cells].map((cell) => [...cell.querySelectorAll("p")].map(wordsOf).join()).join("|"));
        // The caret of another person stands between the letters, with its name.
        function wordsOf(line) {
          const copy = line.cloneNode(true);
          copy.querySelectorAll(".caret").forEach((caret) => caret.remove());
          return copy.textContent;
        }`);
    const all = ["a|new|b", "c||d", "asleep||"];
    for (const page of [a, b]) await until("all see it", async () => (await rows(page)).join() === all.join());
    await saved(a);
    await cell(b, "asleep").click();
    await b.keyboard.press("End");
    await b.keyboard.type(" no more");
    const more = ["a|new|b", "c||d", "asleep no more||"];
    for (const page of [a, b]) await until("all see the words", async () => (await rows(page)).join() === more.join());
    await saved(b);
    const { content } = (await client.get(`/documents/${id}/content?live=true`)).data.document.content[0];
    const texts = content.map((row: Node) => (row.content ?? []).map(cellText).join("|"));
    assert.deepEqual(texts, more);
  });

  test("EDIT25 whose right to write is taken while typing is told so, keeps the words, and goes on watching", async () => {
    const { id, client, a, b, bob } = await openTwo(stage, "First line.\n");
    await clickEnd(b, 0);
    await b.keyboard.type(" Bob writes.");
    await saved(b);
    await stage.world.app.services.database.transaction((tx) => changeRole(tx, bob.workspaceId, bob.userId, "viewer"));
    await b.keyboard.insertText(" Bob goes on.");
    await b.getByRole("alert").filter({ hasText: "Not saved: you may no longer edit this document" }).waitFor();
    await b.getByText("Bob goes on.").waitFor();
    await b.getByRole("button", { name: "Copy my text" }).waitFor();
    assert.deepEqual(await textsOf(client, id), ["First line. Bob writes."]);
    await b.reload();
    await clickEnd(a, 0);
    await a.keyboard.type(" Ada too.");
    await b.getByText("First line. Bob writes. Ada too.").waitFor();
    assert.equal(await b.locator(`${surface}[contenteditable="true"]`).count(), 0);
  });

  test("LIVE20 formatting, lists, tables and code come out of the editor as the body has them", async () => {
    const { id, client, a, problems } = await openTwo(
      stage,
      "Text.\n\n```js\ncode\n```\n\n> [!NOTE]\n> Call.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
    );
    const before = (await client.get(`/documents/${id}/content`)).data.document.content;
    await clickEnd(a, 0);
    await a.keyboard.press("Shift+Home");
    await a.keyboard.press("Control+b");
    await a.keyboard.press("Control+Shift+8");
    await saved(a);
    await until("it is a list", async () => {
      const { data } = await client.get(`/documents/${id}/content?live=true`);
      return data.document.content[0].type === "bulletList";
    });
    const { content } = (await client.get(`/documents/${id}/content`)).data.document;
    assert.match(JSON.stringify(content[0]), /"marks":\[\{"type":"bold"\}\]/);
    assert.deepEqual(content.slice(1), before.slice(1));
    assert.deepEqual(problems, []);
  });
});
