import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { makeComment } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";

/** Every kind of block that has a look of its own. */
const TEXT = `Words, \`code\` and $x^2$.

# One

#### Four

- one
  - nested

1. first

   Another paragraph of it.

- [ ] open
- [x] done, with words enough to go over more than one line in the column of the text, however wide it is
  - [ ] below it

> Quoted.
>
> Twice.

\`\`\`ts
const a = 1;
\`\`\`

---

| A | B |
| --- | --- |
| 1 | 2 |

| ${"A | ".repeat(8)}
| ${"--- | ".repeat(8)}
| ${"some words of a column | ".repeat(8)}

> [!WARNING]
> Take care.
>
> Really.

<details>
<summary>More</summary>

Hidden.

</details>

$$
x = \\frac{1}{2}
$$

A note[^1].

[^1]: Said below.
`;

/** Left, top, width and height of the blocks of the text. */
const placesOf = (page: Page, blocks: string) =>
  page.evaluate<number[][]>(`[...document.querySelectorAll(${JSON.stringify(blocks)})].map((block) => {
    const { left, top, width, height } = block.getBoundingClientRect();
    return [left, top, width, height].map((value) => Math.round(value));
  })`);

const marked = (page: Page) => page.evaluate<string>(`[...CSS.highlights.get("comment")].map(String).join()`);

inBrowser("writing where one reads", (stage) => {
  let at: EditorPage;

  const box = () => at.page.locator("#new-comment");

  before(async () => {
    at = await EditorPage.start(stage);
  });

  test("EDIT28 no block moves when the editor takes over, and what stands beside the text stays", async () => {
    await at.openMarkdown(TEXT);
    const written = await placesOf(at.page, `${SURFACE} > *`);
    const beside = await placesOf(at.page, ".beside .outline, .beside .comments h2");
    await at.page.goto(`/documents/${at.id}`);
    const read = await placesOf(at.page, ".prose .block > :first-child");
    assert.equal(read.length, 16);
    assert.deepEqual(written, read);
    assert.deepEqual(await placesOf(at.page, ".beside .outline, .beside .comments h2"), beside);
  });

  test("EDIT28 a task within a task stands below it", async () => {
    const [[left = 0, top = 0] = [], [innerLeft = 0, innerTop = 0] = []] = await placesOf(
      at.page,
      "li[data-checked]:has(li) > p, li[data-checked] li > p",
    );
    assert.ok(innerTop > top + 20);
    assert.ok(innerLeft > left && innerLeft < left + 40);
  });

  test("EDIT28 the contents follow the headings as they are written, and lead to them", async () => {
    await at.openMarkdown("# First\n\nText.\n");
    const contents = at.page.getByRole("navigation", { name: "Contents" });
    await at.typeAt("First", " of all");
    await at.press("Enter");
    await at.page.keyboard.type("## Second");
    await contents.getByRole("link", { name: "First of all" }).waitFor();
    await contents.locator("ul ul").getByRole("link", { name: "Second" }).click();
    assert.equal(new URL(at.page.url()).pathname, `/documents/${at.id}/edit`);
  });

  test("EDIT29 words that were just typed are commented on, answered and resolved without leaving the editor", async () => {
    await at.open(["We meet on Friday", "Bring coffee."]);
    await at.typeAt("We meet", " early");
    await at.press("Control+Shift+ArrowLeft", "Control+Alt+m");
    await box().fill("How early?");
    await at.press("Control+Enter");
    const thread = at.page.locator(".thread");
    await thread.locator(".comment-body", { hasText: "How early?" }).waitFor();
    assert.equal(await thread.locator(".passage").innerText(), "early");
    await at.block("We meet").click();
    await at.press("Home");
    await at.page.keyboard.type("Now: ");
    await until("its words are highlighted where they are now", async () => (await marked(at.page)) === "early");
    await thread.locator("summary", { hasText: "Reply" }).click();
    await at.page.getByLabel("Your reply").fill("At eight.");
    await at.press("Control+Enter");
    await thread.locator(".replies .comment-body", { hasText: "At eight." }).waitFor();
    await thread.getByRole("button", { name: "Resolve" }).click();
    await thread.waitFor({ state: "detached" });
    assert.equal(new URL(at.page.url()).pathname, `/documents/${at.id}/edit`);
    await at.is("Now: We meet on Friday early\n\nBring coffee.");
    assert.deepEqual(at.problems, []);
  });

  test("EDIT29 the bar of selected words comments on them, and what others say comes while one writes", async () => {
    await at.open(["Bring coffee."]);
    await at.block("Bring").click();
    await at.press("End", "ArrowLeft", "Control+Shift+ArrowLeft");
    await at.page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Comment" }).click();
    await box().fill("Or tea");
    const { id } = await makeComment(at.client, { document_id: at.id, text: "Cake, too." });
    await at.page.locator(`#${id}`).waitFor();
    assert.equal(await box().inputValue(), "Or tea");
    await at.press("Control+Enter");
    await at.page.locator(".thread .comment-body", { hasText: "Or tea" }).waitFor();
    assert.equal(await marked(at.page), "coffee");
    await at.page.locator(`${SURFACE}:focus`).waitFor();
    const bar = at.page.getByRole("toolbar", { name: "Selection" });
    assert.equal(await bar.isVisible(), false, "the bar of the selection is gone");
  });

  test("EDIT29 what others say while one's comment is on its way stays", async () => {
    await at.open(["Bring coffee."]);
    await at.page.locator("[data-new-comment] > summary").click();
    await box().fill("Or tea");
    let later = "";
    await at.page.route(/\/comments$/, async (route) => {
      const response = await route.fetch();
      later = (await makeComment(at.client, { document_id: at.id, text: "Cake, too." })).id;
      await at.page.locator(`#${later}`).waitFor();
      await route.fulfill({ response });
    });
    await at.press("Control+Enter");
    await until("it was taken", async () => (await box().inputValue()) === "");
    await at.page.locator(".thread", { hasText: "Or tea" }).waitFor();
    await at.page.locator(`#${later}`).waitFor();
    await at.page.unroute(/\/comments$/);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT29 by keys alone one comments, goes on writing where one was, and comes back from a comment half written", async () => {
    await at.open(["We meet on Friday.", "Bring coffee."]);
    await at.block("We meet").click();
    await at.press("End", "Shift+ArrowDown", "Control+Alt+m");
    await at.page.keyboard.type("Or tea");
    await at.press("Control+Enter");
    const thread = at.page.locator(".thread", { hasText: "Or tea" });
    await thread.waitFor();
    assert.equal(await thread.locator(".passage").innerText(), "Bring coffee.");
    await at.page.locator(`${SURFACE}:focus`).waitFor();
    await at.press("ArrowUp", "Home", "Control+Shift+ArrowRight", "Control+Alt+m");
    await at.page.keyboard.type("Half a");
    await at.press("Escape", "End");
    await at.page.keyboard.type(" Or Monday.");
    assert.equal(await box().inputValue(), "Half a");
    await at.is("We meet on Friday. Or Monday.\n\nBring coffee.");
    assert.deepEqual(at.problems, []);
  });

  test("EDIT29 a comment that is refused is said, and stays as it was typed", async () => {
    await at.open(["Bring coffee."]);
    await at.page.locator("[data-new-comment] > summary").click();
    await box().fill("Or tea");
    await at.client.delete(`/documents/${at.id}`);
    await at.press("Control+Enter");
    await at.page.locator(".toast", { hasText: "Not sent" }).waitFor();
    assert.equal(await box().inputValue(), "Or tea");
  });

  test("WEB96 a table of five columns scrolls sideways before they are squeezed, on a phone one of three", async () => {
    const heights = (columns: number) =>
      placesOf(at.page, `.prose tr:has(> :nth-child(${columns})):not(:has(> :nth-child(${columns + 1}))) > td`).then(
        (cells) => new Set(cells.map(([, , , height = 0]) => Math.floor(height / 32))),
      );
    const row = (word: string, columns: number) => `| ${`${word} | `.repeat(columns)}\n`;
    const table = (columns: number) => row("A", columns) + row("---", columns) + row("eighteen letters.", columns);
    await at.openMarkdown(`${table(8)}\n${table(5)}\n${table(3)}`);
    await at.page.goto(`/documents/${at.id}`);
    for (const width of [1280, 400]) {
      await at.page.setViewportSize({ width, height: 800 });
      for (const columns of [8, 5, 3]) assert.deepEqual(await heights(columns), new Set([1]), `${columns} at ${width}`);
    }
    assert.equal(await at.page.evaluate("document.documentElement.scrollWidth"), 400);
    await at.page.setViewportSize({ width: 1280, height: 800 });
  });
});
