import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { png } from "../../server/test/support/attachments.ts";
import type { Loose } from "../../server/test/support/client.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { EditorPage } from "./editor-page.ts";

const SHOTS = process.env.SVC_TEST_SHOTS;

/** Each kind of content: made by hand, read by the API as Markdown and JSON, changed by the API, seen in the editor. */
inBrowser("the editor's nodes", (stage) => {
  let at: EditorPage;
  before(async () => {
    at = await EditorPage.start(stage);
  });
  const shot = async (name: string) => {
    if (SHOTS) await at.page.screenshot({ path: `${SHOTS}/${name}.png` });
  };

  test("EDIT1 what the menu makes is read as Markdown, changed by a program and seen in the editor", async () => {
    const made = {
      "Heading 4": /^#### Apple$/m,
      "Bullet list": /^[-*] Bread$/m,
      "Numbered list": /^1\. Cake$/m,
      "Task list": /^[-*] \[ \] Dates$/m,
      Quote: /^> Eggs$/m,
      "Callout: warning": /^> \[!WARNING\]\n> Figs$/m,
      Details: /<summary>Grapes<\/summary>/,
    };
    const words = ["Apple", "Bread", "Cake", "Dates", "Eggs", "Figs", "Grapes"];
    await at.open([...words.map((word) => `Line of ${word}.`), "The end."]);
    for (const [i, name] of Object.keys(made).entries()) {
      await at.selectLine(`Line of ${words[i]}.`);
      await at.page.keyboard.press("Backspace");
      await at.insert(name, "");
      await at.page.keyboard.type(String(words[i]));
    }
    for (const form of Object.values(made)) await at.markdown(form);
    const callout = `document.querySelector('.ProseMirror [data-type="callout"]')`;
    const label = await at.page.evaluate(`getComputedStyle(${callout}, "::before").content`);
    assert.equal(label, '"warning"', "a callout says its kind, not only by its colour");
    for (const word of words) await at.programReplaces(word, `${word} of a program`);
    for (const word of words) await at.block(`${word} of a program`).waitFor();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT3 a page typed as Markdown, sign by sign, is that Markdown", async () => {
    await at.open(["Start."]);
    await at.typeAt("Start.", "\n");
    const { keyboard } = at.page;
    const typed = [
      "# Plan",
      "Some **bold**, *italic*, ~~old~~ and `code`.",
      "- [ ] Open",
      "[x] Done",
      "",
      "- One",
      "[ ] A task behind an item",
      "",
      "1. First",
      "Second",
      "",
      "> Said",
      "",
    ];
    for (const line of typed) {
      await keyboard.type(line);
      await keyboard.press("Enter");
    }
    // The rule has an empty line behind it already.
    await keyboard.type("---```js run();");
    const text = await at.markdown(/run\(\);/);
    const lists = "- [ ] Open\n- [x] Done\n\n- One\n\n- [ ] A task behind an item\n\n1. First\n2. Second\n";
    // Lists of different kinds that follow each other have a comment between them.
    const loose = (markdown: string) => markdown.replaceAll(/<!-- -->\n|(?<=\n)\n+/g, "");
    assert.equal(
      loose(text),
      loose(
        `Start.\n# Plan\nSome **bold**, *italic*, ~~old~~ and \`code\`.\n${lists}> Said\n---\n\`\`\`js\nrun();\n\`\`\`\n`,
      ),
    );
    assert.deepEqual(at.problems, []);
  });

  test("EDIT4 ids stay through splitting, joining, cutting, pasting and undo; what is there twice has ids of its own", async () => {
    await at.open(["One two.", "Three.", "Four."]);
    const [first, third, fourth] = await at.ids(["One two.", "Three.", "Four."]);
    const { keyboard } = at.page;
    await at.block("One two.").click();
    await keyboard.press("Home");
    for (const _ of "One ") await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    const split = await at.ids(["One ", "two.", "Three.", "Four."]);
    assert.deepEqual(split.toSpliced(1, 1), [first, third, fourth]);
    // Keys that follow each other quickly are undone together.
    await at.reopen();
    await at.block("two.").click();
    await keyboard.press("Home");
    await keyboard.press("Backspace");
    assert.deepEqual(await at.ids(["One two.", "Three.", "Four."]), [first, third, fourth]);
    await keyboard.press("Control+z");
    assert.deepEqual(await at.ids(["One ", "two.", "Three.", "Four."]), split);
    await keyboard.press("Control+y");
    await at.ids(["One two.", "Three.", "Four."]);
    await at.block("Three.").click();
    await keyboard.press("Escape");
    await keyboard.press("Control+x");
    await at.ids(["One two.", "Four."]);
    await at.block("Four.").click();
    await keyboard.press("Escape");
    await keyboard.press("ArrowRight");
    await keyboard.press("Control+v");
    const moved = await at.ids(["One two.", "Four.", "Three."]);
    assert.deepEqual(moved, [first, fourth, third]);
    await keyboard.press("Control+v");
    const twice = await at.ids(["One two.", "Four.", "Three.", "Three."]);
    assert.deepEqual(twice.slice(0, 3), moved);
    assert.equal(new Set(twice).size, 4);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT11 a footnote is made, found from both ends, renamed and removed", async () => {
    await at.open(["Some text.", "Other text."]);
    await at.typeAt("Some text.", "");
    await at.insert("Footnote");
    await at.page.keyboard.type("The note.");
    await at.markdown(/Some text\. ?\[\^1\][\s\S]*\[\^1\]: The note\./);
    const nodes = await at.body("both are there", (json) => json.includes("footnoteDefinition"));
    assert.equal(nodes.at(-1)?.type, "footnoteDefinition");
    await at.typeAt("Other text.", " Typed[^b]");
    await at.shown('sup[data-label="b"]').waitFor();
    await at.shown('[data-type="footnoteDefinition"][data-label="b"]').waitFor();
    await at.programReplaces("The note.", "What a program wrote.");
    await at.block("What a program wrote.").click();
    await shot("editor-footnote");
    await at.tools.getByLabel("Label").fill("a");
    await at.shown('sup[data-label="a"]').waitFor();
    await at.tools.getByRole("button", { name: "Back to the text" }).click();
    await at.page.keyboard.type("!");
    await at.markdown(/Some text\. ?\[\^a\]!/);
    await at.shown('sup[data-label="b"]').click();
    await at.tools.getByRole("button", { name: "Remove footnote" }).click();
    await at.body("it is gone with its note", (json) => !json.includes('"label":"b"') && json.includes('"label":"a"'));
    assert.deepEqual(at.problems, []);
  });

  test("EDIT12 a formula is shown as it is read while its source is written", async () => {
    await at.open(["Above.", "Line."]);
    await at.typeAt("Above.", "");
    await at.insert("Formula");
    await at.tools.getByLabel("LaTeX").fill("\\frac{1}{2}");
    await at.shown('[data-type="blockMath"] math mfrac').waitFor();
    await at.typeAt("Line.", "");
    await at.insert("Inline formula");
    await at.tools.getByLabel("LaTeX").fill("a^2");
    await at.shown('[data-type="inlineMath"] math msup').waitFor();
    await shot("editor-math");
    await at.markdown(/\$\$\n\\frac\{1\}\{2\}\n\$\$[\s\S]*\$a\^2\$/);
    await at.body("both are there", (json) => json.includes('"latex":"a^2"'));
    await at.programReplaces("$a^2$", "$\\sqrt{b}$");
    await at.shown('[data-type="inlineMath"] math msqrt').waitFor();
    await at.shown('[data-type="blockMath"]').click();
    await at.tools.getByLabel("LaTeX").fill("\\frac{");
    await at.shown('[data-type="blockMath"].math-wrong').waitFor();
    assert.deepEqual(at.problems, []);
  });

  const isDrawn = (test: string) =>
    at.page.evaluate<boolean>(`(() => { const it = document.querySelector("figure.diagram img"); return ${test}; })()`);

  test("EDIT13 a diagram is drawn below its source, and anew when the source changes", async () => {
    await at.open(["Line."]);
    await at.typeAt("Line.", "");
    await at.insert("Mermaid diagram");
    await at.page.locator("figure.diagram img").waitFor();
    await until("it is drawn", () => isDrawn("it.naturalWidth > 40"));
    await shot("editor-diagram");
    await at.markdown(/```mermaid\ngraph TD\n {2}A --> B\n```/);
    await at.programReplaces("A --> B", "Start --> Stop");
    await at.page.locator('figure.diagram img[alt*="Stop"]').waitFor();
    await until("the changed one is drawn", () => isDrawn("it.src.includes('Stop')"));
    assert.deepEqual(at.problems, []);
  });

  test("EDIT14 code has the colours in which it is read, whoever changes it", async () => {
    await at.open(["Line."]);
    await at.typeAt("Line.", "\n");
    await at.insert("Code", "");
    await at.page.keyboard.type("const a = 1;");
    await at.tools.getByLabel("Language").fill("js");
    await at.shown("pre .hljs-keyword").waitFor();
    await at.markdown(/```js\nconst a = 1;\n```/);
    await at.programReplaces("const a = 1;", 'let b = "text";');
    await at.shown("pre .hljs-string").waitFor();
    await shot("editor-code");
    assert.deepEqual(at.problems, []);
  });

  test("EDIT15 text has colours, highlights and sides; what is no colour styles nothing", async () => {
    const hostile = { type: "textStyle", attrs: { color: "red; position: fixed" } };
    await at.open([
      "Red line.",
      "Marked line.",
      "Middle line.",
      { type: "paragraph", content: [{ type: "text", text: "Hostile.", marks: [hostile] }] },
    ]);
    const bar = at.page.getByRole("toolbar", { name: "Selection" });
    const choose = async (line: string, menu: string, name: string) => {
      await at.selectLine(line);
      await bar.getByRole("button", { name: menu }).click();
      await at.page.getByRole("menuitem", { name }).click();
      // The bar goes away with the selection, which the editor sets anew for a moment behind the menu.
      await until("nothing is selected", async () => {
        await at.page.keyboard.press("End");
        return bar.isHidden();
      });
    };
    await choose("Red line.", "Colours", "Red text");
    await choose("Marked line.", "Colours", "Green highlight");
    await choose("Middle line.", "Alignment", "Align centre");
    const nodes = await at.body("all three are there", (json) => /b3261e.*cdebc8.*"textAlign":"center"/s.test(json));
    const markOf = (node: Loose | undefined) => node?.content[0].marks[0];
    assert.deepEqual(markOf(nodes[0]), { type: "textStyle", attrs: { color: "#b3261e" } });
    assert.deepEqual(markOf(nodes[1]), { type: "highlight", attrs: { color: "#cdebc8" } });
    await at.markdown(/Marked line/);
    const styles = await at.page.evaluate<string[][]>(`[...document.querySelectorAll(".ProseMirror > p")].map((line) =>
      [getComputedStyle(line.firstElementChild ?? line).color, getComputedStyle(line).textAlign,
       getComputedStyle(line.firstElementChild ?? line).position])`);
    assert.deepEqual(styles[0]?.[0], "rgb(179, 38, 30)");
    assert.deepEqual([styles[2]?.[1], styles[3]?.[2]], ["center", "static"]);
    await shot("editor-colours");
    await choose("Red line.", "Colours", "Default text colour");
    await at.body("the colour is gone", (json) => !json.includes("b3261e"));
    await at.programReplaces("Middle line.", "Still the middle.");
    await at.shown('p[data-text-align="center"]').getByText("Still the middle.").waitFor();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT9 behind a menu, a tool and a sheet the next key goes to the text, also before the page is drawn again", async () => {
    await at.open(["Red line.", "Other line."]);
    await at.page.evaluate("globalThis.requestAnimationFrame = () => 0");
    const { keyboard } = at.page;
    await at.selectLine("Red line.");
    await at.page.getByRole("button", { name: "Colours" }).click();
    await at.page.getByRole("menuitem", { name: "Red text" }).click();
    await keyboard.type("Typed.");
    await at.block("Typed.").waitFor();
    await at.typeAt("Other line.", "[^1]");
    await at.shown("sup").click();
    await at.tools.getByRole("button", { name: "Go to the note" }).click();
    await keyboard.type("A note.");
    await at.shown('[data-type="footnoteDefinition"]').getByText("A note.").waitFor();
    await keyboard.press("ControlOrMeta+/");
    await at.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await keyboard.press("Escape");
    await keyboard.type(" More.");
    await at.shown('[data-type="footnoteDefinition"]').getByText("A note. More.").waitFor();
    await at.insert("Find and replace");
    await keyboard.type("line");
    assert.equal(await at.page.getByLabel("Find", { exact: true }).inputValue(), "line");
    assert.deepEqual(at.problems, []);
  });

  test("EDIT2 keys to press are made by the bar and by a key, and read as they were written", async () => {
    await at.open(["Escape", "Enter"]);
    await at.selectLine("Escape");
    const bar = at.page.getByRole("toolbar", { name: "Selection" });
    await bar.getByRole("button", { name: "Key" }).click();
    await at.shown("kbd").getByText("Escape").waitFor();
    assert.equal(await bar.getByRole("button", { name: "Key" }).getAttribute("aria-pressed"), "true");
    await shot("editor-kbd");
    await at.page.keyboard.press("End");
    await bar.waitFor({ state: "hidden" });
    await at.selectLine("Enter");
    await at.page.keyboard.press("ControlOrMeta+Alt+k");
    await at.markdown(/^<kbd>Escape<\/kbd>\n\n<kbd>Enter<\/kbd>\n$/);
    await at.programReplaces("Enter", "Tab");
    await at.block("Tab").locator("kbd").waitFor();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT16 a cell with much text is as wide in the editor as where the page is read", async () => {
    const words = "some words that go on and on, ".repeat(4).trim();
    const rest = "| b | c | d | e | f |";
    await at.openMarkdown(`| a ${rest}\n| - | - | - | - | - | - |\n| ${words} ${rest}\n| short ${rest}\n`);
    await at.page.setViewportSize({ width: 400, height: 700 });
    const width = async () => (await at.shown("td >> nth=0").boundingBox())?.width ?? 0;
    const inEditor = await width();
    assert.ok(inEditor > 200, `${inEditor} pixels`);
    await at.shown("td:has-text('short')").click();
    await at.page.keyboard.type(words);
    assert.equal(await at.page.locator(".ProseMirror .long-cell").count(), 2);
    await at.saved();
    await at.page.goto(`/documents/${at.id}`);
    assert.equal(await at.page.locator(".prose .long-cell").count(), 2);
    await at.page.setViewportSize({ width: 1280, height: 720 });
  });

  test("EDIT16 a table has headers, merged cells and widths; what a spreadsheet copied becomes one", async () => {
    await at.open(["Line.", "End.", "After."]);
    await at.typeAt("Line.", "");
    await at.insert("Table");
    await at.page.keyboard.type("a");
    await at.page.keyboard.press("Tab");
    await at.page.keyboard.type("b");
    await at.tableTool("Column", "Header column");
    await at.tableTool("Column", "Wider column");
    const isWide = (json: string) => json.includes('"colwidth":[160]');
    const [, table] = await at.body("it is wide", isWide);
    assert.deepEqual(
      defined(table).content.map((row: Loose) => row.content.map(({ type }: Loose) => type).join()),
      ["tableHeader,tableHeader,tableHeader", "tableHeader,tableCell,tableCell", "tableHeader,tableCell,tableCell"],
    );
    const edge = defined(await at.shown("tr:nth-child(2) td:nth-child(2)").boundingBox());
    await at.page.mouse.move(edge.x + edge.width - 1, edge.y + 8);
    await at.page.locator(".column-resize-handle").first().waitFor();
    await at.page.mouse.down();
    await at.page.mouse.move(edge.x + edge.width + 60, edge.y + 8, { steps: 5 });
    await at.page.mouse.up();
    await at.body("it was dragged", (json) => !isWide(json) && /"colwidth":\[2\d\d\]/.test(json));
    const cells = at.page.locator(`${".ProseMirror"} tr:nth-child(2) > *`);
    await cells.nth(1).click();
    await at.page.keyboard.press("Shift+ArrowRight");
    await at.tableTool("Cells", "Merge cells");
    await at.body("it is merged", (json) => json.includes('"colspan":2'));
    await shot("editor-table-wide");
    await at.typeAt("End.", "\n");
    await at.paste({
      "text/plain": "Name\tCost\nGit\t0\n",
      "text/html":
        '<meta name=Generator content="Microsoft Excel 15"><style>td{mso-x:1}</style><table border=0 width=128><colgroup><col width=64 span=2 style="width:48pt"></colgroup><tr height=20><td height=20 class=xl65 width=64 style="height:15pt;width:48pt">Name</td><td class=xl65>Cost</td></tr><tr><td>Git</td><td align=right x:num>0</td></tr></table>',
    });
    await at.markdown(/\| Name \| Cost \|[\s\S]*\| Git \| 0 \|/);
    await at.typeAt("After.", "\n");
    await at.paste({ "text/plain": "x\ty\n1\t2\n" });
    await at.body(
      "plain cells are a table too",
      (_json, all) => all.filter(({ type }) => type === "table").length === 3,
    );
    assert.deepEqual(at.problems, []);
  });

  test("EDIT17 a picture is resized by its corner, and has alternative text and a caption", async () => {
    await at.open(["Line."]);
    await at.typeAt("Line.", " /picture");
    const chooser = at.page.waitForEvent("filechooser");
    await at.page.getByRole("option", { name: "Image or file", exact: true }).click();
    await (await chooser).setFiles({ name: "a.png", mimeType: "image/png", buffer: png });
    const picture = at.shown("figure.picture img");
    await picture.click();
    await at.tools.getByLabel("Alternative text").fill("A small square");
    await at.tools.getByLabel("Caption").fill("The square");
    await at.shown("figcaption").getByText("The square").waitFor();
    const box = defined(await at.shown(".picture-grip").boundingBox());
    await at.page.mouse.move(box.x + 4, box.y + 4);
    await at.page.mouse.down();
    await at.page.mouse.move(box.x + 104, box.y + 4, { steps: 4 });
    await at.page.mouse.up();
    const isWide = (_json: string, nodes: Loose[]) => nodes.some(({ attrs }) => Number(attrs.width) > 100);
    const nodes = await at.body("it is wider", isWide);
    const { alt, title } = defined(nodes.find(({ type }) => type === "image")).attrs;
    assert.deepEqual([alt, title], ["A small square", "The square"]);
    await at.markdown(/A small square/);
    await at.programReplaces("The square", "Another caption");
    await at.shown("figcaption").getByText("Another caption").waitFor();
    await shot("editor-picture");
    assert.deepEqual(at.problems, []);
  });

  test("EDIT30 code, diagrams and formulas begin with the caret inside; Escape, arrows and a click below leave them", async () => {
    const { keyboard } = at.page;
    await at.open(["First."]);
    await at.typeAt("First.", "\n");
    await at.insert("Code", "");
    await keyboard.type("let a;");
    await keyboard.press("Escape");
    await keyboard.type("After code.");
    await keyboard.press("Enter");
    await at.insert("Mermaid diagram", "");
    await keyboard.type("graph LR");
    await keyboard.press("ArrowDown");
    await keyboard.type("After the diagram.");
    await keyboard.press("Enter");
    await at.insert("Formula", "");
    await at.tools.getByLabel("LaTeX").and(at.page.locator(":focus")).waitFor();
    await keyboard.type("a^2");
    await keyboard.press("Escape");
    await keyboard.type("After the formula.");
    await keyboard.press("Enter");
    await at.insert("Code", "");
    await keyboard.type("last");
    const code = defined(await at.shown("pre:last-of-type").boundingBox());
    await at.page.mouse.click(code.x + 40, code.y + code.height + 40);
    await keyboard.type("Below.");
    await at.is(
      "First.\n\n```\nlet a;\n```\n\nAfter code.\n\n```mermaid\ngraph LR\n```\n\nAfter the diagram.\n\n$$\na^2\n$$\n\nAfter the formula.\n\n```\nlast\n```\n\nBelow.",
    );
    assert.deepEqual(at.problems, []);
  });
});
