import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import type { Page } from "playwright-core";
import { png } from "../../server/test/support/attachments.ts";
import { makeBody, readNodes, textsOf } from "../../server/test/support/bodies.ts";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { assets } from "../src/server/assets.ts";
import { inBrowser } from "./browser.ts";
import { pageMenu } from "./document-page.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const SHOTS = process.env.SVC_TEST_SHOTS;
const surface = ".ProseMirror";

inBrowser("the editor", (stage) => {
  async function open(texts: readonly string[]) {
    const ada = await makeAccount(stage, { name: "Ada" });
    const client = await programOf(stage, ada);
    const { id } = await makeBody(
      client,
      texts.map((text) => p(text)),
    );
    const page = await signedInAs(stage, ada);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`/documents/${id}/edit`);
    await saved(page);
    await page.locator(`[data-editor-ready] ${surface}[contenteditable="true"]`).waitFor();
    return { page, client, id, problems };
  }

  const saved = (page: Page) => page.locator('[data-editor-part="status"]', { hasText: /^Saved$/ }).waitFor();
  const choice = (page: Page, name: string) => page.getByRole("option", { name, exact: true });
  const block = (page: Page, text: string) => page.locator(`${surface} > *`, { hasText: text }).first();

  /** The body once it is as wanted. */
  async function bodyOf(
    client: Client,
    id: string,
    what: string,
    isThere: (nodes: Loose[]) => boolean,
  ): Promise<Loose[]> {
    let nodes: Loose[] = [];
    await until(what, async () => {
      nodes = (await readNodes(client, id)).nodes;
      return isThere(nodes);
    });
    return nodes;
  }

  /** As the browser tells of it; the script of a page is text here, without the browser's types. */
  const paste = (page: Page, type: string, text: string): Promise<unknown> =>
    page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData(${JSON.stringify(type)}, ${JSON.stringify(text)});
      document.querySelector("${surface}").dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }`);

  test("EDIT1 the slash menu makes every kind of block, found by its name", async () => {
    const wanted = {
      "Heading 3": "heading",
      "Bullet list": "bulletList",
      "Numbered list": "orderedList",
      "Task list": "taskList",
      Quote: "blockquote",
      Code: "codeBlock",
      "Mermaid diagram": "codeBlock",
      Table: "table",
      "Callout: tip": "callout",
      Details: "details",
      Divider: "horizontalRule",
      Formula: "blockMath",
      HTML: "rawHtml",
    };
    const names = Object.keys(wanted);
    const { page, client, id, problems } = await open(names.map((_, at) => `Line ${at}.`));
    for (const [at, name] of names.entries()) {
      await block(page, `Line ${at}.`).click();
      await page.keyboard.press("End");
      await page.keyboard.press("Shift+Home");
      await page.keyboard.press("Backspace");
      await page.keyboard.type(`/${name.replace(/\W.*/, "")}`);
      await choice(page, name).click();
      await page.getByRole("listbox").waitFor({ state: "hidden" });
    }
    const types = Object.values(wanted);
    const nodes = await bodyOf(
      client,
      id,
      "all are there",
      (now) => now.map(({ type }) => type).join() === types.join(),
    );
    assert.equal(nodes[0]?.attrs.level, 3);
    assert.equal(nodes[8]?.attrs.kind, "tip");
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/editor-blocks.png`, fullPage: true });
    assert.deepEqual(problems, []);
  });

  test("EDIT2 the bar above selected text marks and links it", async () => {
    const { page, client, id, problems } = await open(["Some text."]);
    await block(page, "Some text.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Home");
    const bar = page.getByRole("toolbar", { name: "Selection" });
    await bar.getByRole("button", { name: "Italic" }).click();
    await bar.getByRole("button", { name: "Highlight" }).click();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/editor-bar.png` });
    await page.keyboard.press("Control+k");
    await bar.getByRole("textbox", { name: "Link to" }).and(page.locator(":focus")).fill("example.com/a");
    await page.keyboard.press("Enter");
    const marksOf = (nodes: Loose[]) =>
      nodes[0]?.content?.[0]?.marks
        ?.map(({ type }: Loose) => type)
        .sort()
        .join();
    const nodes = await bodyOf(client, id, "it is marked", (now) => marksOf(now) === "highlight,italic,link");
    const link = defined(nodes[0]).content[0].marks.find(({ type }: Loose) => type === "link");
    assert.equal(link.attrs.href, "https://example.com/a");
    assert.deepEqual(problems, []);
  });

  test("EDIT3 Markdown works while one types and when it is pasted; pasted HTML is cleaned to the schema", async () => {
    const { page, client, id, problems } = await open(["One.", "Two.", "Three."]);
    const first = (await readNodes(client, id)).nodes[0]?.attrs.id;
    await block(page, "One.").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("## ");
    await page.locator(`${surface} > h2`, { hasText: "One." }).waitFor();
    await block(page, "Two.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await paste(page, "text/plain", "- a **bold** word\n- [ ] b\n\n```js\nx()\n```\n");
    await block(page, "Three.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const hostile =
      '<b style="font-weight:normal"><style>p{}</style><p onclick="x()">From <b>Word</b></p><script>alert(1)</script>' +
      '<a href="javascript:alert(1)">bad</a><img src="data:image/png;base64,AA" onerror="x()"><h3>Head</h3><iframe src="/x"></iframe></b>';
    await paste(page, "text/html", hostile);
    const nodes = await bodyOf(client, id, "all is there", (now) =>
      now.some(({ type, attrs }) => type === "heading" && attrs.level === 3),
    );
    const text = JSON.stringify(nodes);
    assert.doesNotMatch(text, /javascript|alert|onerror|iframe|data:image/);
    assert.match(text, /"marks":\[\{"type":"bold"\}\],"text":"Word"|"text":"Word","marks":\[\{"type":"bold"\}\]/);
    assert.deepEqual([nodes[0]?.type, nodes[0]?.attrs.level, nodes[0]?.attrs.id], ["heading", 2, first]);
    assert.ok(nodes.some(({ type }) => type === "bulletList"));
    assert.ok(nodes.some(({ type, attrs }) => type === "codeBlock" && attrs.language === "js"));
    const ids = [...text.matchAll(/"id":"(block_\w+)"/g)].map(([, one]) => one);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(problems, []);
  });

  test("EDIT4 blocks are moved, duplicated and deleted by keys and by the handle; a moved block keeps its id", async () => {
    const { page, client, id, problems } = await open(["One.", "Two.", "Three."]);
    const before = (await readNodes(client, id)).nodes.map(({ attrs }: Loose) => attrs.id);
    await block(page, "Three.").click();
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Control+Shift+d");
    await until(
      "it is moved and there twice",
      async () => (await textsOf(client, id)).join() === "Three.,Three.,One.,Two.",
    );
    await block(page, "One.").hover();
    await page.getByRole("button", { name: "Block actions" }).click();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/editor-handle.png` });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await until("it is gone", async () => (await textsOf(client, id)).join() === "Three.,Three.,Two.");
    const after = (await readNodes(client, id)).nodes.map(({ attrs }: Loose) => attrs.id);
    assert.deepEqual([after[0], after[2]], [before[2], before[1]]);
    assert.equal(new Set(after).size, 3);
    assert.deepEqual(problems, []);
  });

  test("EDIT5 two brackets find a page and its headings, or make one; an at sign knows days", async () => {
    const { page, client, id, problems } = await open(["One.", "Two.", "Three."]);
    const target = await makeDocument(client, { title: "Zebra handbook", text: "# Stripes\n\nText.\n" });
    const type = async (at: string, text: string) => {
      await block(page, at).click();
      await page.keyboard.press("End");
      await page.keyboard.type(` ${text}`);
    };
    await type("One.", "[[Zebra");
    await page.getByRole("option", { name: /^Zebra handbook/ }).click();
    await type("Two.", "[[Zebra#Str");
    await page.getByRole("option", { name: /^Stripes/ }).click();
    await type("Three.", "[[Brand new");
    await page.getByRole("option", { name: "New page “Brand new”" }).click();
    await page.locator(`${surface} a`, { hasText: "Brand new" }).waitFor();
    await page.keyboard.type("@tod");
    await page.getByRole("option", { name: /^Today/ }).click();
    const isDone = (now: Loose[]) => /\d{4}-\d\d-\d\d/.test(JSON.stringify(now));
    const text = JSON.stringify(await bodyOf(client, id, "all is linked", isDone));
    assert.match(text, new RegExp(`svc://doc/${target.id}"`));
    assert.match(text, new RegExp(`svc://doc/${target.id}#block=block_`));
    const made = await client.get("/documents?q=Brand");
    assert.match(text, new RegExp(`svc://doc/${made.data[0].id}`));
    assert.deepEqual(problems, []);
  });

  test("EDIT6 what the caret is in has its tools: rows and columns, language, kind, LaTeX", async () => {
    const { page, client, id, problems } = await open(["One.", "Two."]);
    const tools = page.getByRole("toolbar", { name: "Tools for this block" });
    await block(page, "One.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("/table");
    await choice(page, "Table").click();
    for (const [menu, name] of [
      ["Row", "Row below"],
      ["Column", "Delete column"],
      ["Cells", "Align centre"],
    ] as const) {
      await page.getByRole("button", { name: menu, exact: true }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    }
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/editor-table.png` });
    await block(page, "Two.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("/formula");
    await choice(page, "Formula").click();
    await tools.getByLabel("LaTeX").fill("a^2");
    const isDone = (now: Loose[]) => now.some(({ attrs }) => attrs.latex === "a^2");
    const nodes = await bodyOf(client, id, "the formula is there", isDone);
    const table = defined(nodes.find(({ type }) => type === "table"));
    assert.deepEqual([table.content.length, table.content[0].content.length], [4, 2]);
    assert.match(JSON.stringify(table), /"align":"center"/);
    assert.deepEqual(problems, []);
  });

  test("EDIT7 a picture is uploaded into the text and shown there", async () => {
    const { page, client, id, problems } = await open(["One."]);
    await block(page, "One.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" /picture");
    const chooser = page.waitForEvent("filechooser");
    await choice(page, "Image or file").click();
    await (await chooser).setFiles({ name: "a.png", mimeType: "image/png", buffer: png });
    const nodes = await bodyOf(client, id, "the picture is there", (now) => now.some(({ type }) => type === "image"));
    const { attachmentId } = defined(nodes.find(({ type }) => type === "image")).attrs;
    await page.locator(`${surface} img[src$="${attachmentId}"]`).waitFor();
    const width = () => page.evaluate(`document.querySelector("${surface} img").naturalWidth`);
    await until("it is shown", async () => (await width()) === 37);
    assert.deepEqual(problems, []);
  });

  test("EDIT8 find and replace", async () => {
    const { page, client, id, problems } = await open(["One cat.", "Two cats, a Cat."]);
    await block(page, "One cat.").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+f");
    const bar = page.getByRole("search", { name: "Find and replace" });
    await bar.getByRole("textbox", { name: "Find" }).fill("cat");
    await bar.getByText("3 found").waitFor();
    await bar.getByRole("textbox", { name: "Find" }).press("Enter");
    await bar.getByText("1 of 3").waitFor();
    await bar.getByRole("textbox", { name: "Replace with" }).fill("dog");
    await bar.getByRole("button", { name: "Replace all" }).click();
    await until("all are replaced", async () => (await textsOf(client, id)).join("|") === "One dog.|Two dogs, a dog.");
    // A letter that is two in lower case moves no place behind it.
    await block(page, "One dog.").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("İİ ");
    await bar.getByRole("textbox", { name: "Find" }).fill("one");
    await bar.getByRole("textbox", { name: "Replace with" }).fill("Eins");
    await bar.getByRole("button", { name: "Replace all" }).click();
    await until("at its place", async () => (await textsOf(client, id))[0] === "İİ Eins dog.");
    assert.deepEqual(problems, []);
  });

  test("EDIT9 the keys are told; the page passes axe with the editor, its menu and its bars open", async () => {
    const { page, problems } = await open(["One.", "Two."]);
    await (await pageMenu(page)).getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Duplicate the block").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await block(page, "Two.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" /head");
    await choice(page, "Heading 1").waitFor();
    assert.deepEqual(await violations(page), []);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/editor-slash.png` });
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    assert.deepEqual(problems, []);
  });

  test("EDIT10 the editor's script is at most 250 KB, gzipped", () => {
    const bytes = gzipSync(defined(assets.get("islands/editor.js")).bytes).length;
    assert.ok(bytes <= 250 * 1024, `${bytes} bytes`);
  });
});
