import assert from "node:assert/strict";
import { before, test } from "node:test";
import { makeComment, makeDocument, makeSuggestion, markdown } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";
import { openTwo } from "./two-people.ts";
import { violations } from "./violations.ts";

const LINES = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join("\n\n");

inBrowser("a first week", (stage) => {
  let at: EditorPage;

  before(async () => {
    at = await EditorPage.start(stage);
  });

  const text = async (id: string) => (await at.client.get(`/documents/${id}/content?format=markdown`)).text;

  test("WEB100 accepting and rejecting are undone, and the first suggestion is brought into sight", async () => {
    const { page, client } = at;
    const { id } = await makeDocument(client, { title: "Rules", text: LINES });
    const suggest = () =>
      makeSuggestion(client, {
        document_id: id,
        operations: undefined,
        content: markdown(LINES.replace("Line 50", "Row 50")),
      });
    await suggest();
    await page.goto(`/documents/${id}/suggestions`);
    const change = page.locator(".suggested", { hasText: "Row" });
    const isSeen = (bottom: number, box: { y: number; height: number } | null) =>
      box !== null && box.y >= 0 && box.y + box.height <= bottom;
    await until("it is in sight", async () => isSeen(page.viewportSize()?.height ?? 0, await change.boundingBox()));
    await change.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("Suggestion accepted.").waitFor();
    assert.match(await text(id), /Row 50/);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The earlier text is back, and the suggestion is open again.").waitFor();
    assert.match(await text(id), /Line 50/);
    await change.getByRole("button", { name: "Reject", exact: true }).click();
    await page.getByText("Suggestion rejected.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The suggestion is open again.").waitFor();
    await change.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("Suggestion accepted.").waitFor();
    await client.put(`/documents/${id}/content`, markdown("Another text.\n"), { ifMatch: "*" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The page has changed since").waitFor();
    assert.equal((await text(id)).trim(), "Another text.");
  });

  test("WEB17 the slash menu can be reached with the keyboard, and its list scrolls", async () => {
    await at.open([""]);
    await at.block("").click();
    await at.page.keyboard.type("/");
    await at.page.getByRole("listbox").waitFor();
    assert.deepEqual(await violations(at.page), []);
  });

  test("WIKI4 a page that links to one in the trash opens without a failed request, and marks the link", async () => {
    const { id: gone } = await makeDocument(at.client, { title: "Gone" });
    const { id: there } = await makeDocument(at.client, { title: "There" });
    await at.client.delete(`/documents/${gone}`);
    const failed: string[] = [];
    at.page.on("response", (response) => {
      if (response.status() >= 400) failed.push(response.url());
    });
    const text = `[old](svc://doc/${gone}) and [new](svc://doc/${there})\n`;
    const { id } = await makeDocument(at.client, { title: "Links", text });
    await at.page.goto(`/documents/${id}/edit`);
    await at.shown(".link-dangling").waitFor();
    await at.shown(".link-page").waitFor();
    assert.deepEqual(failed, []);
  });

  test("WEB60 a link to a comment shows its whole thread, at every width", async () => {
    const { id } = await makeDocument(at.client, { title: "Talk", text: LINES });
    for (let count = 0; count < 12; count++)
      await makeComment(at.client, { document_id: id, text: `Comment ${count}. ${"More words. ".repeat(8)}` });
    const threads = (await at.client.get(`/documents/${id}/comments`)).data;
    for (const width of [1280, 400]) {
      await at.page.setViewportSize({ width, height: 800 });
      await at.page.goto(`/documents/${id}#${threads[8].id}`);
      await at.page.locator("html[data-discussion-ready]").waitFor({ state: "attached" });
      await until(`the thread is in sight at ${width}`, () =>
        at.page.evaluate<boolean>(`(() => {
          const thread = document.getElementById("${threads[8].id}");
          const { left, top, right, bottom } = thread.getBoundingClientRect();
          const isFree = (y) => thread.contains(document.elementFromPoint((left + right) / 2, y));
          return top >= 0 && bottom <= innerHeight && isFree(top + 2) && isFree(bottom - 2);
        })()`),
      );
    }
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  test("WEB37 messages do not pile up: a newer one takes the place of an older one", async () => {
    const { id, knowledge_base_id } = await makeDocument(at.client, { title: "First name" });
    await at.page.goto(`/knowledge-bases/${knowledge_base_id}`);
    for (const [from, to] of [
      ["First name", "Second name"],
      ["Second name", "Third name"],
    ] as const) {
      await at.page.getByRole("treeitem", { name: from, exact: true }).focus();
      await at.page.keyboard.press("F2");
      await at.page.getByLabel("New name").fill(to);
      await at.page.keyboard.press("Enter");
      await at.page.getByText(`Renamed to “${to}”.`).waitFor();
    }
    assert.equal(await at.page.locator(".toast").count(), 1);
    assert.equal((await at.client.get(`/documents/${id}`)).data.title, "Third name");
  });

  test("WEB98 somebody else's caret stands behind what they have typed, in a colour of its own", async () => {
    const { a: ada, b: bob } = await openTwo(stage, "Dear reader! Welcome.\n");
    await ada.locator(`${SURFACE} > *`).first().click();
    await ada.keyboard.press("Home");
    for (let step = 0; step < 13; step++) await ada.keyboard.press("ArrowRight");
    await ada.keyboard.type("Hi. ", { delay: 40 });
    const before = () =>
      bob.evaluate<string>(`(() => {
        const caret = document.querySelector("${SURFACE} .caret");
        if (!caret) return "no caret";
        const range = document.createRange();
        range.setStart(document.querySelector("${SURFACE} > *"), 0);
        range.setEndBefore(caret);
        return range.toString().replaceAll("\\u2060", "");
      })()`);
    await until("the caret is behind the typed words", async () => (await before()) === "Dear reader! Hi. ");
  });
});
