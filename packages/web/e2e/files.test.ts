import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase, upload } from "../../server/test/support/fixtures.ts";
import { pdfOf } from "../../server/test/support/office-files.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("the page of a file", (stage) => {
  let client: Client;
  let page: Page;
  let document: { id: string };
  let file: { id: string };

  before(async () => {
    const ada = await makeAccount(stage, { name: "Ada" });
    client = await programOf(stage, ada);
    const base = await makeKnowledgeBase(client, "Harbour");
    document = await makeDocument(client, { title: "Reports", knowledge_base_id: base.id, text: "See the files." });
    const hostile = ["Penguins <script>alert(1)</script>", "in the lighthouse"];
    file = await upload(client, document.id, pdfOf([["Annual report"], hostile]), "report <b>.pdf");
    await until("it has been read", async () => {
      const { data } = await client.get(`/attachments/${file.id}/text`);
      return data.text_status === "ready";
    });
    page = await signedInAs(stage, ada);
  });

  test("WEB140 search leads to the page of a file, which shows its text and a preview", async () => {
    await page.goto("/search?q=penguins");
    await page.getByRole("heading", { name: "In files" }).waitFor();
    const link = page.getByRole("link", { name: "report <b>.pdf" });
    assert.match((await link.getAttribute("href")) ?? "", /\?page=2#page-2$/);
    await link.click();
    await page.getByText("Penguins <script>alert(1)</script>").waitFor();
    assert.equal(await page.locator(".file-text script").count(), 0);
    await page.getByRole("link", { name: "From the first page" }).click();
    await page.getByText("Annual report").waitFor();
    await page.getByText("Preview", { exact: true }).click();
    const frame = page.locator("iframe");
    assert.equal(await frame.getAttribute("src"), `/files/${file.id}`);
    assert.deepEqual(await violations(page), []);
    for (const [width, scheme] of [
      [1280, "light"],
      [400, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      if (process.env.SVC_TEST_SHOTS)
        await page.screenshot({ path: `${process.env.SVC_TEST_SHOTS}/file-${width}-${scheme}.png` });
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(overflow <= 0, `${width}: ${overflow}`);
    }
  });

  test("WEB140 a file of another page is not found under this one", async () => {
    const other = await makeDocument(client, {});
    const answer = await page.goto(`/documents/${other.id}/files/${file.id}`);
    assert.equal(answer?.status(), 404);
  });
});
