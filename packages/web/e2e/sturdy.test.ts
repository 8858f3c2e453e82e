import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeDocument, makeFolder, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { inBrowser } from "./browser.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const SCRIPTS = ["مرحبا بالعالم", "你好世界", "สวัสดีชาวโลก", "नमस्ते दुनिया", "שלום עולם", "Ωραία 👩🏽‍🚀"];

inBrowser("sturdy pages", (stage) => {
  let account: Account;
  let client: Client;
  let base: Loose;
  let page: Page;

  before(async () => {
    account = await makeAccount(stage, { name: `${"N".repeat(200)} ${SCRIPTS.join(" ")}` });
    client = await programOf(stage, account);
    base = await makeKnowledgeBase(client, "B".repeat(500));
    page = await signedInAs(stage, account);
  });

  const fits = async (path: string) => {
    await page.goto(path);
    for (const width of [320, 400, 1000, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
      assert.ok(overflow <= 0, `${path} is ${overflow} px too wide at ${width}`);
    }
    assert.deepEqual(await violations(page), [], path);
  };

  test("WEB54 a title of 500 letters without a space breaks no page", async () => {
    const folder = await makeFolder(client, { knowledge_base_id: base.id, name: "F".repeat(500) });
    const place = { knowledge_base_id: base.id, folder_id: folder.id };
    const { id } = await makeDocument(client, { title: "W".repeat(500), ...place, text: `${"x".repeat(500)}\n` });
    for (const path of [
      "/knowledge-bases",
      `/knowledge-bases/${base.id}`,
      `/folders/${folder.id}`,
      `/documents/${id}`,
      `/documents/${id}/versions`,
      `/search?q=${"x".repeat(500)}`,
    ])
      await fits(path);
  });

  test("WEB54 a page is read, and made, before any of its scripts arrive", async () => {
    const slow = await signedInAs(stage, account);
    const { id } = await makeDocument(client, { title: "Early", knowledge_base_id: base.id, text: "Already here.\n" });
    // The requests of scripts are never answered.
    await slow.route(/\.js$/, () => undefined);
    const open = (path: string) => slow.goto(path, { waitUntil: "commit" }).catch(() => undefined);
    void open(`/documents/${id}`);
    await slow.getByText("Already here.").waitFor();
    void open(`/knowledge-bases/${base.id}`);
    await slow.getByRole("button", { name: "New spreadsheet" }).click({ noWaitAfter: true });
    await slow.getByRole("heading", { name: "Untitled spreadsheet" }).waitFor();
  });
});
