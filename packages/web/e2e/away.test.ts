import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "@svc/document/read/text";
import type { Page } from "playwright-core";
import { readNodes } from "../../server/test/support/bodies.ts";
import { sleepAwake, until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { SURFACE } from "./editor-page.ts";
import { clickEnd, fallAsleep, openTwo, saved } from "./two-people.ts";

const TEXT = "First line.\n\nSecond line here.\n\nThird line.\n";

inBrowser("writing while others change the same lines", (stage) => {
  /** Ada types into the second line without a network, Bob changes it meanwhile, Ada comes back and types on. */
  async function meanwhile(change: (b: Page) => Promise<void>, ...wanted: readonly string[]): Promise<void> {
    const { a, b, isText, problems } = await openTwo(stage, TEXT);
    await clickEnd(a, 1);
    await fallAsleep(stage, a);
    await a.keyboard.type(" And mine");
    await saved(b);
    await clickEnd(b, 1);
    await change(b);
    await saved(b);
    await a.context().setOffline(false);
    await saved(a);
    await b.locator(SURFACE, { hasText: "And mine" }).waitFor();
    await a.keyboard.type(", all of it.");
    await isText(...wanted);
    assert.deepEqual(
      problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem)),
      [],
    );
    await Promise.all([a, b].map((page) => page.context().close()));
  }

  const press = (page: Page, ...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

  test("LIVE17 what one types without a network goes along when others join, wrap or split its line meanwhile", async () => {
    const joined = "First line.Second line here. And mine, all of it.";
    await meanwhile((b) => press(b, "Home", "Backspace"), joined, "Third line.");
    const lines = ["First line.", "Second line here. And mine, all of it.", "Third line."];
    await meanwhile((b) => press(b, "Home", "-", "Space"), ...lines);
    const split = ["First line.", "Second", " line here. And mine, all of it.", "Third line."];
    await meanwhile((b) => press(b, "Home", "Control+ArrowRight", "Enter"), ...split);
  });

  test("LIVE17 what one types without a network into a line that others delete becomes a line of its own", async () => {
    const lines = ["First line.", " And mine, all of it.", "Third line."];
    await meanwhile((b) => press(b, "Control+Shift+Backspace"), ...lines);
  });

  test("LIVE19 what a closed tab kept goes along with its line, too, when it is opened again", async () => {
    const { id, a, b, isText } = await openTwo(stage, TEXT);
    await clickEnd(a, 1);
    await fallAsleep(stage, a);
    await a.keyboard.type(" And mine.");
    // The device writes it down within half a second.
    await sleepAwake(1500);
    await a.close();
    await saved(b);
    await clickEnd(b, 1);
    await press(b, "Home", "Backspace");
    await saved(b);
    await a.context().setOffline(false);
    const again = await a.context().newPage();
    await again.goto(`/documents/${id}/edit`);
    await isText("First line.Second line here. And mine.", "Third line.");
  });

  test("LIVE18 who takes back the making of a line takes nothing of what others, people and agents, wrote in it", async () => {
    const { a, b, client, id, isText, problems } = await openTwo(stage, "First.\n\nLast.\n");
    await clickEnd(a, 0);
    await press(a, "Enter");
    await a.keyboard.type("Made by Ada");
    await saved(a);
    await clickEnd(b, 1);
    await b.keyboard.type(", Bob");
    await isText("First.", "Made by Ada, Bob", "Last.");
    const { data: blocks } = await client.get(`/documents/${id}/blocks`);
    const content = [{ type: "text", text: "Made by Ada, Bob and an agent" }];
    await client.patch(`/documents/${id}/blocks/${blocks[1].id}`, { content });
    await a.locator(SURFACE, { hasText: "an agent" }).waitFor();
    await press(a, "Control+z", "Control+z");
    await isText("First.", ", Bob and an agent", "Last.");
    await press(a, "Control+y");
    await isText("First.", "Made by Ada, Bob and an agent", "Last.");
    assert.deepEqual(problems, []);
  });

  test("EDIT7 a file comes where it was put in, also when others delete that line while it is uploaded, and who leaves then is asked", async () => {
    const { a, b, client, id, problems } = await openTwo(stage, TEXT);
    const arrives = Promise.withResolvers<void>();
    await a.route("**/app/api/v1/attachments", async (route) => {
      await arrives.promise;
      await route.continue();
    });
    const paste = (page: Page, name: string) =>
      page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(["text"], "${name}", { type: "text/plain" }));
        document.querySelector("${SURFACE}").dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }`);
    const body = async () =>
      (await readNodes(client, id)).nodes.map((node) => node.attrs.name ?? plainText(node)).join(" / ");
    await clickEnd(a, 1);
    await paste(a, "ada.txt");
    await clickEnd(b, 1);
    await paste(b, "bob.txt");
    await until("Bob's is there", async () => /bob/.test(await body()));
    await clickEnd(b, 1);
    await press(b, "Control+Shift+Backspace");
    await saved(b);
    const asked = a.waitForEvent("dialog");
    const left = a.goto("/").catch(() => undefined);
    await (await asked).dismiss();
    await left;
    arrives.resolve();
    const wanted = "First line. / ada.txt / bob.txt / Third line.";
    await until("both are there", async () => (await body()) === wanted).catch(async () =>
      assert.equal(await body(), wanted),
    );
    assert.deepEqual(problems, []);
  });
});
