import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import type { CDPSession, Locator } from "playwright-core";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, stopClock } from "./browser.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";
import { signedInAs } from "./people.ts";

const TABLE = "| a | b |\n| --- | --- |\n| c | d |\n";
const DETAILS = "<details open>\n<summary>Sum</summary>\n\nin\n\n</details>\n";

inBrowser("writing in the editor", (stage) => {
  let at: EditorPage;
  let cdp: CDPSession;
  before(async () => {
    at = await EditorPage.start(stage);
    await at.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    cdp = await at.page.context().newCDPSession(at.page);
  });
  const press = (...keys: readonly string[]) => at.press(...keys);
  const type = (text: string) => at.page.keyboard.type(text);
  const open = (text: string) => at.openMarkdown(text);
  const is = (wanted: string) => at.is(wanted);
  /** As an input method does: the text in steps, and then as it is meant. */
  const compose = async (...steps: readonly string[]) => {
    for (const text of steps)
      await cdp.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await cdp.send("Input.insertText", { text: defined(steps.at(-1)) });
  };
  const drag = async (block: Locator, x: number, y: number) => {
    await block.hover();
    const handle = defined(await at.page.getByRole("button", { name: "Block actions" }).boundingBox());
    await at.page.mouse.move(handle.x + 6, handle.y + 6);
    await at.page.mouse.down();
    await at.page.mouse.move(x, y + 30, { steps: 6 });
    await at.page.mouse.move(x, y, { steps: 4 });
    await at.page.mouse.up();
  };

  test("EDIT2 an address of mail or of a host is completed, one that cannot be a link is refused; Ctrl and a click open a link", async () => {
    await at.open(["Word"]);
    const link = async (address: string) => {
      await at.selectLine("Word");
      await press("Control+k");
      await at.page.getByLabel("Link to").fill(address);
      await press("Enter");
    };
    await link("ada@example.com");
    await is("[Word](mailto:ada@example.com)");
    await link("localhost:3000/x");
    await is("[Word](http://localhost:3000/x)");
    await link("javascript:alert(1)");
    await at.page.locator('[aria-label="Link to"]:invalid').waitFor();
    await press("Escape");
    await is("[Word](http://localhost:3000/x)");
    const { id } = at;
    await open(`See [this](svc://doc/${id}).\n`);
    await at.shown("a").click();
    await type("!");
    await at.markdown(/!/);
    assert.equal(at.page.context().pages().length, 1);
    const [opened] = await Promise.all([
      at.page.context().waitForEvent("page"),
      at.shown("a").click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await opened.waitForURL(`**/documents/${id}`);
    await opened.close();
  });

  test("EDIT3 a link is typed as Markdown, and the name of a file is none", async () => {
    await at.open([""]);
    await at.shown("> p").click();
    await type("See [this page](https://example.com/a), https://example.com/b and README.md now.");
    await is("See [this page](https://example.com/a), <https://example.com/b> and README.md now.");
  });

  test("EDIT1 Enter goes into details and out of them; what is made in the summary stands in the content", async () => {
    await at.open([""]);
    await at.shown("> p").click();
    await at.insert("Details", "");
    await type("Sum");
    await press("Enter");
    await type("one");
    await press("Enter");
    await type("two");
    await press("ArrowUp", "End", "Enter", "Enter");
    await type("middle");
    await press("ArrowDown", "End", "Enter", "Enter");
    await type("out");
    await is("<details open>\n<summary>Sum</summary>\n\none\n\n<p></p>\n\nmiddle\n\ntwo\n\n</details>\n\nout");
    await open(DETAILS);
    await at.shown("summary").click();
    await press("Home");
    await type("- ");
    await press("End");
    await at.insert("Bullet list");
    await type("item");
    await is("<details open>\n<summary>\\- Sum&#32;</summary>\n\n- item\n\nin\n\n</details>");
  });

  test("EDIT4 all of a list or of details turns into something else; tables are not offered that", async () => {
    const turn = async (text: string, name: string) => {
      await at.block(text).hover();
      await at.page.getByRole("button", { name: "Block actions" }).click();
      await at.page.getByRole("menuitem", { name: "Turn into…" }).click();
      await at.page.getByRole("menuitem", { name, exact: true }).click();
    };
    await open("- a\n- b\n  - c\n- d\n");
    await turn("a", "Numbered list");
    await is("1. a\n2. b\n   - c\n3. d");
    const lines = JSON.stringify(await at.body("the list is there", () => true));
    await turn("a", "Text");
    await is("a\n\nb\n\nc\n\nd");
    for (const id of await at.ids(["a", "b", "c", "d"])) assert.ok(lines.includes(id), "a line keeps its id");
    await open("- a\n- b\n\nnext\n");
    await turn("a", "Heading 2");
    await is("## a\n\n## b\n\nnext");
    await open("- a\n- b\n  - c\n\nnext\n");
    await turn("a", "Code");
    await is("```\na\nb\nc\n```\n\nnext");
    await open(DETAILS);
    await turn("Sum", "Heading 2");
    await is("## Sum\n\nin");
    await open(TABLE);
    await at.block("c").hover();
    await at.page.getByRole("button", { name: "Block actions" }).click();
    await at.page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    assert.equal(await at.page.getByRole("menuitem", { name: "Turn into…" }).count(), 0);
    await press("Escape");
  });

  test("EDIT3 selected lines become one block of code, by its key, and text again", async () => {
    await open("a\n\nb **c**\n\nd\n");
    await at.block("a").click();
    await press("Home", "Shift+ArrowDown", "Shift+End");
    await press("Control+Alt+c");
    await is("```\na\nb c\n```\n\nd");
    await press("Control+z");
    await is("a\n\nb **c**\n\nd");
    await at.block("b").click();
    await press("Home", "Shift+ArrowDown", "Shift+End", "Control+Alt+c");
    await is("a\n\n```\nb c\nd\n```");
    await press("Control+Alt+c");
    await is("a\n\nb c\\\nd");
  });

  test("EDIT16 what is typed or composed over selected cells stands in the first of them, the others are emptied", async () => {
    const cell = (text: string) => at.page.locator(`${SURFACE} td`, { hasText: text });
    const select = async (from: string, to: string) => {
      await cell(from).dragTo(cell(to));
      await at.page.locator(`${SURFACE} .selectedCell`).first().waitFor();
    };
    const table = (row: string, last = "| f | g | h |") => `| x | y | z |\n| --- | --- | --- |\n${row}\n${last}\n`;
    await stopClock(at.page);
    await open(table("| a | b | c |"));
    await select("a", "g");
    await type("new");
    await is(table("| new |  | c |", "|  |  | h |"));
    await press("Control+z");
    await select("g", "b");
    await compose("に", "日本");
    await is(table("| a | 日本 | c |", "| f |  | h |"));
    await at.page.clock.resume();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT2 the caret in a link has tools that open, change and remove it, also in a table", async () => {
    await open("Before [words](https://example.com/there) after\n\n| [in](https://example.com/in) |\n| --- |\n");
    const tool = (name: string) => at.tools.getByRole("button", { name });
    await at.page.context().route("https://example.com/**", (route) => route.fulfill({ body: "There." }));
    await at.page.locator(`${SURFACE} a`, { hasText: "words" }).click();
    const opened = at.page.context().waitForEvent("page");
    await tool("Open link").click();
    const there = await opened;
    assert.equal(there.url(), "https://example.com/there");
    await there.close();
    await tool("Change link").click();
    const address = at.page.getByRole("textbox", { name: "Link to" });
    assert.equal(await address.inputValue(), "https://example.com/there");
    await address.fill("example.com/other");
    await address.press("Enter");
    await is("Before [words](https://example.com/other) after\n\n| [in](https://example.com/in) |\n| --- |");
    await at.page.locator(`${SURFACE} a`, { hasText: "in" }).click();
    const row = at.page.getByRole("button", { name: "Row", exact: true });
    await row.waitFor();
    await tool("Remove link").click();
    await is("Before [words](https://example.com/other) after\n\n| in |\n| --- |");
    await tool("Open link").waitFor({ state: "hidden" });
    await row.waitFor();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT3 a formula is typed between dollar signs; amounts of money are none", async () => {
    await open("x\n");
    await at.block("x").click();
    await press("End");
    await type(" is $a_1 + 2$, not $5 or $10 and ($b$). It costs $5-$6 a $day ");
    await is("x is $a_1 + 2$, not \\$5 or \\$10 and ($b$). It costs \\$5-\\$6 a \\$day&#32;");
    await at.shown("math").waitFor();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT4 neither a letter nor an input method takes the place of a selected table, block or closed details", async () => {
    await open(`${TABLE}\nnext\n`);
    await at.block("next").click();
    await press("Home", "Backspace");
    await type("!");
    await is(`${TABLE.replace("d |", "d! |")}\nnext`);
    await press("Escape");
    await compose("に", "日本");
    await is(`${TABLE.replace("d |", "d!日本 |")}\nnext`);
    await at.block("next").click();
    await press("Escape");
    await compose("ご", "語");
    await is(`${TABLE.replace("d |", "d!日本 |")}\nnext語`);
    await open(`${DETAILS.replace(" open", "")}\nnext\n`);
    await at.block("next").click();
    await press("Home", "Backspace");
    await type("!");
    await is(`${DETAILS.replace(" open", "")}\n!\n\nnext`);
  });

  test("EDIT18 a block is dropped above a list, a callout or a table that begins the page, and behind one that ends it", async () => {
    const lists = { ul: "- a\n- b\n", '[data-type="callout"]': "> [!NOTE]\n> a\n", ".tableWrapper": TABLE };
    for (const [selector, text] of Object.entries(lists)) {
      await open(`${text}\nlast\n`);
      const top = defined(await at.shown(`> ${selector}`).boundingBox());
      await drag(at.block("last"), top.x + 40, top.y + 2);
      await is(`last\n\n${text}`);
    }
    const list = defined(await at.shown("> .tableWrapper").boundingBox());
    await drag(at.block("last"), list.x + 40, list.y + list.height - 2);
    await is(`${TABLE}\nlast`);
  });

  test("EDIT9 Tab stays in a list and indents code, and Escape with Tab leaves the text", async () => {
    const hasFocus = () => at.page.locator(`${SURFACE}:focus`).count();
    await open("- a\n\nnext\n");
    await at.block("a").click();
    await press("End", "Tab");
    await type("!");
    await is("- a!\n\nnext");
    await press("Escape", "Tab");
    assert.equal(await hasFocus(), 0);
    await open("```\na\n```\n");
    await at.block("a").click();
    await press("End", "Enter", "Tab");
    await type("b");
    await press("Enter");
    await type("c");
    await press("Shift+Tab");
    await is("```\na\n  b\nc\n```");
  });

  test("EDIT8 the first match may begin at the caret", async () => {
    await at.open(["cat cat"]);
    await at.block("cat").click();
    await press("Home", "Control+f");
    await type("cat");
    const count = at.page.getByRole("search", { name: "Find and replace" }).locator("output");
    await press("Enter");
    await until("it is the first", async () => (await count.textContent()) === "1 of 2");
    await press("Enter");
    await until("it is the second", async () => (await count.textContent()) === "2 of 2");
    await press("Escape");
  });

  test("EDIT5 today is the day where one writes", async () => {
    await at.open([""]);
    // One of the two has another day than the server.
    for (const timezoneId of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
      const page = await signedInAs(stage, at.account, { timezoneId });
      await page.goto(`/documents/${at.id}/edit`);
      await page.locator(`[data-editor-ready] ${SURFACE}[contenteditable="true"]`).click();
      await page.keyboard.type(" @today");
      const hint = await page.getByRole("option", { name: "Today" }).locator(".editor-popup-hint").textContent();
      assert.equal(hint, new Intl.DateTimeFormat("sv-SE", { timeZone: timezoneId }).format());
      await page.context().close();
    }
  });
});
