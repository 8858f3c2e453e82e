import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { makeComment } from "../../server/test/support/fixtures.ts";
import { inBrowser } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { SURFACE } from "./editor-page.ts";
import { clickEnd, openTwo, saved } from "./two-people.ts";

const TEXT = "# Meeting\n\nWe meet every Friday at nine.\n\nBring coffee.\n";

inBrowser("talking and suggesting while others write", (stage) => {
  const changes = (page: Page, count: number) => page.locator(`[data-changes="${count}"]`).waitFor();

  test("WEB73 a reply that one types outlives its thread, the last one, being resolved by somebody else", async () => {
    const { id, client, a } = await openTwo(stage, TEXT);
    const thread = await makeComment(client, { document_id: id, text: "Still so?" });
    await openPanel(a, "Comments");
    const shown = a.locator(`[id="${thread.id}"]`);
    await shown.locator("summary", { hasText: "Reply" }).click();
    await shown.getByLabel("Your reply").and(a.locator(":focus")).waitFor();
    await a.keyboard.type("It is ");
    await client.post(`/comments/${thread.id}/resolve`);
    await a.getByText("Select text to comment").waitFor();
    await a.keyboard.type("so.");
    assert.equal(await shown.getByLabel("Your reply").inputValue(), "It is so.");
    await a.keyboard.press("Control+Enter");
    const answered = a.locator(".thread-resolved .replies", { hasText: "It is so." });
    await answered.waitFor();
    // New comments by others are loaded and remove nothing.
    await makeComment(client, { document_id: id, text: "Another" });
    await a.locator(".thread", { hasText: "Another" }).waitFor();
    assert.ok(await answered.isVisible(), "a thread that one answered stays in sight");
    await shown.locator("summary", { hasText: "React" }).last().click();
    await shown.getByLabel("Heart").last().click();
    await shown.getByLabel("❤️ 1").waitFor();
  });

  test("WEB65 a suggestion keeps what others wrote in the same lines between its beginning and its sending", async () => {
    const { id, client, a, b } = await openTwo(stage, TEXT);
    await b.goto(`/documents/${id}/suggest`);
    await b.locator("[data-live-editor][data-editor-ready]").waitFor();
    await clickEnd(b, 1);
    await b.keyboard.type(" Come early.");
    await changes(b, 1);
    await a.locator(`${SURFACE} > *`).nth(1).click();
    await a.keyboard.press("Home");
    await a.keyboard.type("Ada: ");
    await clickEnd(a, 2);
    await a.keyboard.type(" And cake.");
    await saved(a);
    await b.getByRole("button", { name: "Send suggestion" }).click();
    await b.getByText("The page has changed.").waitFor();
    await changes(b, 1);
    assert.deepEqual(await b.locator(`${SURFACE} del`).allInnerTexts(), []);
    await b.getByRole("button", { name: "Send suggestion" }).click();
    await b.waitForURL("**/suggestions");
    const [{ changes: made }] = (await client.get(`/documents/${id}/suggestions`)).data;
    assert.deepEqual(
      made.map((one: { after: { markdown: string } }) => one.after.markdown.trim()),
      ["Ada: We meet every Friday at nine. Come early."],
    );
  });

  test("WEB65 a suggestion whose answer got lost is sent again and is there once", async () => {
    const { id, client, b } = await openTwo(stage, TEXT);
    await b.goto(`/documents/${id}/suggest`);
    await b.locator("[data-live-editor][data-editor-ready]").waitFor();
    await clickEnd(b, 2);
    await b.keyboard.type(" And tea.");
    await changes(b, 1);
    const path = "**/app/api/v1/documents/*/suggestions";
    await b.route(path, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await b.getByRole("button", { name: "Send suggestion" }).click();
    await b.getByText("Not sent").waitFor();
    await b.unroute(path);
    await b.reload();
    await changes(b, 1);
    await b.getByRole("button", { name: "Send suggestion" }).click();
    await b.waitForURL("**/suggestions");
    assert.equal((await client.get(`/documents/${id}/suggestions`)).data.length, 1);
  });
});
