import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { makeComment, makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { chooseMode, modeButton, modeChoices, openPanel } from "./document-page.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";
import { makeAccount, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const TEXT = `# First

${Array.from({ length: 30 }, (_, at) => `Line ${at} has words enough to be clicked on.`).join("\n\n")}

## Second

- one
- two

| A | B |
| --- | --- |
| a cell | another |

\`\`\`ts
const a = 1;
\`\`\`

The last line.
`;

/** Left and top of every block, as it is read or written. */
const places = (page: Page) =>
  page.evaluate<
    string[]
  >(`[...document.querySelectorAll(".prose > .block > :first-child, ${SURFACE} > *")].map((one) => {
    const { left, top } = one.getBoundingClientRect();
    return Math.round(left) + " " + Math.round(top);
  })`);

inBrowser("one page to read and write", (stage) => {
  let at: EditorPage;
  let id: string;

  before(async () => {
    at = await EditorPage.start(stage);
    id = (await makeDocument(at.client, { title: "One page", text: TEXT })).id;
    at.id = id;
  });

  const open = (query = "") => at.page.goto(`/documents/${id}${query}`);
  const isWritten = () => at.page.locator(`${SURFACE}:focus`).waitFor();

  test("WEB110 a click into the text puts the caret there, and nothing moves", async () => {
    await open();
    await at.page.evaluate("scrollTo(0, 700)");
    const read = await places(at.page);
    const line = at.page.getByText("Line 20 has words", { exact: false });
    const box = await line.boundingBox();
    assert.ok(box);
    const [x, y] = await at.page.evaluate<[number, number]>(`(() => {
      const block = [...document.querySelectorAll(".prose p")].find((one) => one.textContent.startsWith("Line 20"));
      const range = document.createRange();
      range.setStart(block.firstChild, 7);
      const { left, top, height } = range.getBoundingClientRect();
      return [left + 1, top + height / 2];
    })()`);
    await at.page.mouse.click(x, y);
    await isWritten();
    assert.deepEqual(await places(at.page), read);
    assert.equal(await at.page.evaluate("scrollY"), 700);
    assert.equal(new URL(at.page.url()).pathname, `/documents/${id}`);
    await at.page.keyboard.type("really ");
    await at.body("the words are where the caret was", (json) => json.includes("Line 20really  has words"));
    await at.saved();
    assert.deepEqual(await violations(at.page), []);
    assert.deepEqual(at.problems, []);
  });

  test("WEB110 a double click selects the word, and the key E starts where the reader is", async () => {
    await open();
    await at.page.getByText("Line 3 has").dblclick({ position: { x: 10, y: 10 } });
    await isWritten();
    await until("the word is selected", async () => (await at.page.evaluate("String(getSelection())")) === "Line");
    await open();
    await at.page.keyboard.press("e");
    await isWritten();
    await at.page.keyboard.type("Now: ");
    await at.body("the key writes at the top", (json) => json.includes("Now: First"));
    await at.saved();
  });

  test("WEB110 links, check boxes and buttons in the text keep their use", async () => {
    const other = await makeDocument(at.client, { title: "Other" });
    const made = await makeDocument(at.client, {
      title: "Uses",
      text: `- [ ] task\n\n[other](svc://doc/${other.id})\n`,
    });
    await at.page.goto(`/documents/${made.id}`);
    await at.page.getByRole("checkbox", { name: "To do" }).check();
    await at.page.getByRole("checkbox", { name: "Done" }).waitFor();
    assert.equal(await at.page.locator(SURFACE).count(), 0);
    await at.page.getByRole("link", { name: "other" }).click();
    await at.page.getByRole("heading", { name: "Other" }).waitFor();
  });

  test("WEB111 the mode menu leads to suggesting and viewing; who may only read has no controls to edit", async () => {
    await open();
    await modeButton(at.page, "Editing").waitFor();
    await chooseMode(at.page, "Viewing");
    await at.page.waitForURL(/mode=view/);
    await modeButton(at.page, "Viewing").waitFor();
    await at.page.getByText("Line 3 has").click();
    await at.page.keyboard.press("e");
    assert.equal(await at.page.locator(SURFACE).count(), 0);
    await chooseMode(at.page, "Suggesting");
    await at.page.locator(`[data-editor-ready] ${SURFACE}`).waitFor();
    const reader = await makeAccount(stage, { name: "Rae", workspace: at.account.workspaceId, role: "viewer" });
    const theirs = await signedInAs(stage, reader);
    await theirs.goto(`/documents/${id}`);
    assert.deepEqual(
      (await (await modeChoices(theirs)).allInnerTexts()).map((text) => text.split("\n")[0]),
      ["Suggesting", "Viewing"],
    );
    await theirs.getByText("Line 3 has").click();
    assert.equal(await theirs.locator(SURFACE).count(), 0);
    await theirs.close();
  });

  test("WEB112 the bar is 44 pixels high, and the text begins near the top, on a desktop and on a phone", async () => {
    for (const [width, most] of [
      [1280, 150],
      [390, 220],
    ] as const) {
      const page = await signedInAs(stage, at.account, { viewport: { width, height: 800 } });
      await page.goto(`/documents/${id}`);
      const [bar, top, wide] = await page.evaluate<number[]>(`[
        document.querySelector(".page-bar").getBoundingClientRect().height,
        document.querySelector(".prose .block > *").getBoundingClientRect().top,
        document.documentElement.scrollWidth,
      ]`);
      assert.equal(bar, 44);
      assert.ok(top !== undefined && top <= most, `${top} at ${width}`);
      assert.equal(wide, width);
      assert.deepEqual(await violations(page), []);
      await page.close();
    }
  });

  test("WEB113 one panel at a time stands beside the text; comments open with what leads to them", async () => {
    await open();
    const panel = (name: string) => at.page.locator(`#panel-${name}`);
    await panel("contents").getByRole("link", { name: "Second" }).waitFor();
    await openPanel(at.page, "Info");
    await panel("info").getByRole("heading", { name: "Files" }).waitFor();
    assert.equal(await panel("contents").isVisible(), false);
    await at.page.getByRole("button", { name: "Info" }).click();
    assert.equal(await panel("info").isVisible(), false);
    const { id: thread } = await makeComment(at.client, { document_id: id, text: "Really?" });
    await open(`#${thread}`);
    await at.page.locator(`#${thread}`).waitFor();
    await at.page.setViewportSize({ width: 390, height: 800 });
    await open();
    assert.equal(await panel("comments").isVisible(), false);
    await openPanel(at.page, "Comments");
    await panel("comments").getByRole("paragraph").filter({ hasText: "Really?" }).waitFor();
    assert.deepEqual(await violations(at.page), []);
    await at.page.getByRole("button", { name: "Close" }).click();
    assert.equal(await panel("comments").isVisible(), false);
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });

  test("WEB113 without scripts every panel and menu is there", async () => {
    const plain = await signedInAs(stage, at.account, { javaScriptEnabled: false });
    await plain.goto(`/documents/${id}`);
    await plain.getByText("The last line.").waitFor();
    for (const name of ["Contents", "Comments", "Files"]) await plain.getByRole("heading", { name }).waitFor();
    await plain.getByRole("button", { name: "Page menu" }).click();
    await plain.getByRole("link", { name: "Export as Markdown" }).waitFor();
    await plain.close();
  });
});
