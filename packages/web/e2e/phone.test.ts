import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, makeSuggestion } from "../../server/test/support/fixtures.ts";
import { inBrowser, ready } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";

const PHONE = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true };

/** Touch targets by class, without links in text and checkboxes beside it. */
const PRESSED = [
  ".button",
  ".icon-button",
  ".bar-link",
  ".menu-item",
  ".menu-button",
  ".side-link",
  ".tree-item",
  ".tree-more",
  ".tool",
  ".title-edit",
  ".thread .link-button",
  ".editor-popup [role=option]",
].join(", ");

/** Visible controls that are too small for a finger. */
const tooSmall = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(PRESSED)})]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && box.height < 43.9)
    .map(({ one, box }) => one.className + " " + one.textContent.trim() + " " + box.height)`);

inBrowser("a phone", (stage) => {
  let ada: Account;
  let client: Client;
  let library: Library;
  let page: Page;

  before(async () => {
    ada = await makeAccount(stage);
    client = await programOf(stage, ada);
    library = await fillLibrary(client);
    await makeSuggestion(client, { document_id: library.welcome.id });
    await client.post(`/documents/${library.welcome.id}/comments`, {
      body: { format: "markdown", content: "Still so?" },
    });
    page = await signedInAs(stage, ada, PHONE);
  });

  const editing = () => page.locator('[data-editor-ready] .ProseMirror[contenteditable="true"]').waitFor();

  const text = (shown: string) => page.locator(".ProseMirror").getByText(shown, { exact: true });

  test("WEB93 what a finger presses is 44 pixels high", async () => {
    const { id } = library.welcome;
    const documents = ["", "/versions", "/suggestions", "/translations"].map((part) => `/documents/${id}${part}`);
    const others = ["/knowledge-bases", `/folders/${library.folder.id}`, "/members", "/notifications", "/review"];
    for (const path of [...documents, ...others, "/settings", "/account", "/account/tokens", "/search?q=short"]) {
      await page.goto(path);
      assert.deepEqual(await tooSmall(page), [], path);
    }
  });

  test("WEB93 so are the sidebar, its menus, and the tools of the editor", async () => {
    await page.goto(`/documents/${library.welcome.id}/edit`);
    await editing();
    await text("First days").tap();
    await page.keyboard.press("End");
    await page.keyboard.type(" /");
    await page.getByRole("option", { name: "Table", exact: true }).waitFor();
    assert.deepEqual(await tooSmall(page), []);
    await page.keyboard.press("Escape");
    for (const _ of " /") await page.keyboard.press("Backspace");
    await text("Git").tap();
    await page.getByRole("button", { name: "Row", exact: true }).waitFor();
    assert.deepEqual(await tooSmall(page), []);

    await page.getByRole("button", { name: "Open the sidebar" }).tap();
    await page.locator("[data-id][aria-current=page]").locator(".tree-more").tap();
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    assert.deepEqual(await tooSmall(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Account menu" }).tap();
    assert.deepEqual(await tooSmall(page), []);
  });

  test("WEB94 the text stands in the same place where it is read and where it is written", async () => {
    const text =
      "# A heading that is long enough to need two lines\n\nA line that was\nbroken in Markdown only.\n\n- [ ] A task with a text that is long enough to need more than one line of a phone\n\n```ts\nconst a = 1;\n```\n\n> Said by\n> somebody\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nThe end.\n";
    const { id } = await makeDocument(client, { title: "One page", text });
    for (const width of [320, 360, 400, 800, 1000, 1280]) {
      const wide = await signedInAs(stage, ada, { viewport: { width, height: 800 } });
      const places = async (selector: string) => {
        const list = await wide.evaluate<[string, number, number, number, number][]>(
          `[...document.querySelectorAll(".page-bar, ${selector}")].map((one) => {
            const box = one.getBoundingClientRect();
            return [box.left, box.top + scrollY, box.width, box.height].map(Math.round).join(" ");
          })`,
        );
        return list;
      };
      await wide.goto(`/documents/${id}`);
      await wide.locator(".code-copy").waitFor({ state: "attached" });
      const read = await places(".prose > .block > *");
      await wide.goto(`/documents/${id}/edit`);
      await wide.locator('[data-editor-ready] .ProseMirror[contenteditable="true"]').waitFor();
      assert.deepEqual(await places(".ProseMirror > *"), read, `${width} pixels`);
      for (const way of ["edit", "suggest"]) {
        await wide.goto(`/documents/${id}/${way}`);
        assert.equal(
          await wide.evaluate("document.documentElement.scrollWidth <= innerWidth"),
          true,
          `${way} ${width}`,
        );
      }
      await wide.close();
    }
  });

  test("WEB94 on a phone the tools lie at the lower edge, and what selected text can become below it", async () => {
    await page.goto(`/documents/${library.other.id}/edit`);
    await editing();
    const tools = page.getByRole("toolbar", { name: "Formatting" });
    await text("Lock your screen.").tap();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await page.getByRole("toolbar", { name: "Selection" }).waitFor();
    const bar = await page.getByRole("toolbar", { name: "Selection" }).boundingBox();
    const line = await text("Lock your screen.").boundingBox();
    const dock = await tools.boundingBox();
    assert.ok(bar && line && dock);
    assert.ok(bar.y >= line.y + line.height, "the browser's own menu is above");
    assert.ok(dock.y > 740 && dock.y + dock.height <= 800, `${dock.y}`);
    await page.getByLabel("Link to").tap();
    assert.equal(await page.evaluate('[...CSS.highlights.get("link-text")].map(String).join()'), "Lock your screen.");
    await page.keyboard.type("example.com");
    await page.keyboard.press("Enter");
    await page.locator('.ProseMirror a[href="https://example.com"]').waitFor();
    assert.equal(await page.evaluate('CSS.highlights.has("link-text")'), false);
  });

  test("EDIT24 lists, quotes, boxes and tables begin where their text begins, read and written", async () => {
    const text =
      "- بند\n\n> اقتباس\n\n> [!NOTE]\n> ملاحظة\n\n- [ ] مهمة\n\n| اسم | ب |\n| - | - |\n| أ | 1 |\n\n- one\n";
    const { id } = await makeDocument(client, { title: "مرحبا", text });
    const directions = (selector: string) =>
      page.evaluate(
        `[...document.querySelectorAll("${selector}")].map((one) => getComputedStyle(one).direction).join(" ")`,
      );
    await page.goto(`/documents/${id}`);
    assert.equal(await directions(".prose > .block > *"), "rtl rtl rtl rtl rtl ltr");
    await page.goto(`/documents/${id}/edit`);
    await editing();
    assert.equal(await directions(".ProseMirror > *"), "rtl rtl rtl rtl rtl ltr");
    await page.locator(".ProseMirror li", { hasText: "one" }).tap();
    await page.keyboard.press("Home");
    await page.keyboard.type("بند ");
    assert.equal(await directions(".ProseMirror > *"), "rtl rtl rtl rtl rtl rtl");
  });

  test("WEB47 on paper stands the page alone: black on white, with all of its code and what is folded", async () => {
    const text = `\`\`\`ts\nconst a = "${"word ".repeat(40)}";\n\`\`\`\n\n<details><summary>More</summary>\n\nFolded.\n\n</details>\n`;
    const { id } = await makeDocument(client, { title: "On paper", text });
    const reader = await signedInAs(stage, ada, { viewport: { width: 720, height: 1000 }, colorScheme: "dark" });
    await reader.goto(`/documents/${id}`);
    await reader.locator(".code-copy").waitFor({ state: "attached" });
    await reader.emulateMedia({ media: "print", colorScheme: "dark" });
    const controls = "button, summary.button, label.button, .bar, nav, .beside, form";
    assert.deepEqual(
      await reader.evaluate(`[...document.querySelectorAll(${JSON.stringify(controls)})]
        .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))`),
      [],
    );
    assert.equal(await reader.evaluate("document.querySelector('pre').scrollWidth <= innerWidth"), true);
    assert.equal(await reader.getByText("Folded.").isVisible(), true);
    assert.equal(await reader.evaluate("getComputedStyle(document.body).color"), "rgb(29, 33, 31)");
    await reader.close();
  });

  test("WEB95 a long path shows its ends, and the folders between them on demand", async () => {
    let parent: { id?: number } = {};
    for (let level = 1; level <= 6; level++)
      parent = (
        await client.post("/folders", {
          name: `Level ${level}`,
          knowledge_base_id: library.base.id,
          ...(parent.id && { parent_id: parent.id }),
        })
      ).data;
    const place = { knowledge_base_id: library.base.id, folder_id: parent.id };
    const { id } = await makeDocument(client, { title: "Deep", ...place });
    await page.goto(`/documents/${id}`);
    const path = page.getByRole("navigation", { name: "Path" });
    assert.deepEqual(await path.getByRole("link").allInnerTexts(), ["Level 6"], "a phone has room for the nearest");
    await page.setViewportSize({ width: 1280, height: 800 });
    const shown = () => path.getByRole("link").allInnerTexts();
    assert.deepEqual(await shown(), ["Knowledge bases", "Handbook", "Level 1", "Level 5", "Level 6"]);
    await path.getByLabel("3 folders between").tap();
    assert.deepEqual((await shown()).slice(3, 6), ["Level 2", "Level 3", "Level 4"]);
    await page.setViewportSize(PHONE.viewport);
  });

  test("WEB95 an empty page says how it begins, where it is read and where it is written", async () => {
    const { id } = await makeDocument(client, { title: "Blank", knowledge_base_id: library.base.id, text: "" });
    await page.goto(`/documents/${id}`);
    await page.getByRole("link", { name: "Write something" }).tap();
    await editing();
    await ready(page);
    const hint = () =>
      page.evaluate(`getComputedStyle(document.querySelector(".ProseMirror > p"), "::before").content`);
    assert.match(String(await hint()), /Write, or press \//);
    assert.equal(await page.getByRole("heading", { name: "Contents" }).isVisible(), false);
    await page.locator(".ProseMirror").tap();
    await page.keyboard.type("Hello");
    assert.equal(await hint(), "none");
  });
});
