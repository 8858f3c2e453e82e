import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeComment, makeDocument, makeSuggestion, markdown } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { SURFACE } from "./editor-page.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const SHOTS = process.env.SVC_SHOTS;
const LINES = Array.from({ length: 40 }, (_, at) => `Line ${at} has words enough to fill a part of the column.`);
const TEXT = `${LINES.join("\n\n")}\n`;

const topOf = async (shown: Locator): Promise<number> => Math.round((await shown.boundingBox())?.y ?? Number.NaN);

inBrowser("the margin of a page", (stage) => {
  let page: Page;
  let reader: Page;
  let client: Client;
  let id: string;
  let blocks: string[];
  const problems: string[] = [];

  before(async () => {
    const ada = await makeAccount(stage, { name: "Ada Lovelace" });
    const vera = await makeAccount(stage, { name: "Vera Reader", workspace: ada.workspaceId, role: "viewer" });
    client = await programOf(stage, ada);
    page = await signedInAs(stage, ada, { viewport: { width: 1280, height: 800 } });
    reader = await signedInAs(stage, vera, { viewport: { width: 1280, height: 800 } });
    for (const one of [page, reader]) {
      one.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      one.on("requestfailed", (request) => {
        // Opening another address ends the requests of the page before.
        if (request.failure()?.errorText !== "net::ERR_ABORTED")
          problems.push(`${request.url()} ${request.failure()?.errorText}`);
      });
    }
  });

  beforeEach(async () => {
    problems.length = 0;
    id = (await makeDocument(client, { title: "Plans", text: TEXT })).id;
    blocks = (await client.get(`/documents/${id}/blocks?limit=100`)).data.map((block: Loose) => block.id);
  });

  const comment = (block: number, text: string) =>
    makeComment(client, { document_id: id, text, anchor: { block_id: blocks[block], quote: `Line ${block}` } });
  const suggest = (block: number, text: string) =>
    makeSuggestion(client, {
      document_id: id,
      operations: [
        { op: "replace", block_id: blocks[block], node: { type: "paragraph", content: [{ type: "text", text }] } },
      ],
    });
  const card = (text: string, at = page) => at.getByRole("listitem").filter({ hasText: text }).last();
  const line = (text: string, at = page) => at.getByText(text, { exact: false }).first();

  test("WEB60 each comment stands beside its passage, moves with it, and is stacked where several meet", async () => {
    await comment(5, "About five");
    await comment(6, "About six, at some length, so that this card is higher than its line");
    await comment(30, "About thirty");
    await page.goto(`/documents/${id}`);
    await openPanel(page, "Comments");
    const thread = (text: string) => page.locator(".thread", { hasText: text });
    await until("the card is at its line", async () => {
      const [a, b] = [await topOf(thread("About thirty")), await topOf(line("Line 30 has"))];
      return Math.abs(a - b) <= 12;
    });
    assert.ok(Math.abs((await topOf(thread("About five"))) - (await topOf(line("Line 5 has")))) <= 60);
    const five = await thread("About five").boundingBox();
    assert.ok(five && (await topOf(thread("About six"))) >= five.y + five.height, "cards do not overlap");
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/margin-comments.png`, fullPage: true });
    await line("Line 0 has").click();
    await page.locator(`${SURFACE}:focus`).waitFor();
    await page.keyboard.press("Home");
    const before = await topOf(thread("About thirty"));
    await page.keyboard.type("A new first line");
    await page.keyboard.press("Enter");
    await until("the card has moved with its line", async () => {
      const [a, b] = [await topOf(thread("About thirty")), await topOf(line("Line 30 has"))];
      return a > before && Math.abs(a - b) <= 12;
    });
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
  });

  test("WEB61 a suggestion is marked in the text for readers too, and accepted in the margin with undo", async () => {
    await suggest(8, "Line 8 has letters enough to fill a part of the column.");
    await reader.goto(`/documents/${id}`);
    await reader.getByRole("deletion").filter({ hasText: "words" }).first().waitFor();
    await reader.getByRole("insertion").filter({ hasText: "letters" }).first().waitFor();
    assert.equal(await reader.getByRole("button", { name: "Accept" }).count(), 0);

    await page.goto(`/documents/${id}`);
    const shown = card("letters");
    await until(
      "the card is at its line",
      async () => Math.abs((await topOf(shown)) - (await topOf(line("Line 8 has")))) <= 12,
    );
    const places = () =>
      page.evaluate<number>(
        `document.querySelector(".prose > .block:nth-child(12), ${SURFACE} > :nth-child(12)").getBoundingClientRect().top`,
      );
    const read = await places();
    await line("Line 3 has").click();
    await page.locator(`${SURFACE}:focus`).waitFor();
    assert.equal(Math.round(await places()), Math.round(read), "the marks have the same room when the text is edited");
    await page.locator(`${SURFACE} .change-added`, { hasText: "letters" }).waitFor();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/margin-suggestion.png` });
    assert.deepEqual(await violations(page), []);
    await shown.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("Suggestion accepted.").waitFor();
    await page.locator(`${SURFACE} > *`, { hasText: "Line 8 has letters enough" }).waitFor();
    assert.equal(await page.locator(`${SURFACE} .change-gone`).count(), 0);
    await reader.locator(".prose", { hasText: "Line 8 has letters enough" }).waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).last().click();
    // The suggestion is open again, so the line shows both words.
    await page.locator(`${SURFACE} .change-gone`, { hasText: "words" }).waitFor();
    await shown.getByRole("button", { name: "Accept", exact: true }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("WEB61 a new block and a removed one are marked; one is rejected and comes back with Undo", async () => {
    await makeSuggestion(client, { document_id: id });
    await makeSuggestion(client, { document_id: id, operations: [{ op: "delete", block_id: blocks[2] }] });
    await page.goto(`/documents/${id}`);
    await page.locator(".prose .suggested-block", { hasText: "One more." }).waitFor();
    await page.locator(".prose .suggested-gone", { hasText: "Line 2 has" }).waitFor();
    const removal = page.locator(".suggestion-card", { hasText: "Line 2 has" });
    await removal.getByRole("button", { name: "Reject" }).click();
    await page.getByText("Suggestion rejected.").waitFor();
    await removal.waitFor({ state: "detached" });
    await page.locator(".prose .suggested-gone").waitFor({ state: "detached" });
    await page.locator("#toasts").getByRole("button", { name: "Undo" }).click();
    await removal.waitFor();
    await page.locator(".prose .suggested-gone", { hasText: "Line 2 has" }).waitFor();
    assert.deepEqual(problems, []);
  });

  test("WEB41 an idle reader's page follows at once, glows, and does not move further down", async () => {
    await reader.goto(`/documents/${id}`);
    await reader.evaluate("scrollTo(0, 900)");
    const seen = reader.locator(".prose .block", { hasText: "Line 25 has" });
    const before = await topOf(seen);
    const path = `/documents/${id}/content`;
    const anchored = (await client.get(`${path}?format=markdown&annotate=anchors`)).text;
    const changed = anchored
      .replace("Line 1 has words", "Line 1 has other words")
      .replace("Line 2 has words", "A new line above.\n\nLine 2 has words")
      .replace("Line 26 has words", "Line 26 has other words");
    await client.put(path, markdown(changed), { ifMatch: "*" });
    const below = reader.locator(".prose .block", { hasText: "Line 26 has other words" });
    await below.waitFor();
    assert.match((await below.getAttribute("data-by")) ?? "", /Ada Lovelace/);
    assert.match((await below.getAttribute("class")) ?? "", /agent-changed/);
    assert.equal(await topOf(seen), before, "nothing moves under the reader's eyes");
    if (SHOTS) await reader.screenshot({ path: `${SHOTS}/reader-changes.png` });
    assert.deepEqual(await violations(reader), []);
    await reader.getByRole("button", { name: /^[23] changes above$/ }).click();
    await reader.locator(".prose .block", { hasText: "Line 1 has other words" }).waitFor();
    await until("the first change is in view", async () => {
      const top = await topOf(reader.locator(".prose .block", { hasText: "Line 1 has other" }));
      return top > 40 && top < 800;
    });
    assert.deepEqual(problems, []);
  });
});
