import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { plainText } from "@svc/document/read/text";
import type { Loose } from "../../server/test/support/client.ts";
import { inBrowser } from "./browser.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";

const TABLE = "| a | b |\n| --- | --- |\n| c | d |\n";

inBrowser("the editor's clipboard", (stage) => {
  let at: EditorPage;
  before(async () => {
    at = await EditorPage.start(stage);
    await at.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  const press = (...keys: readonly string[]) => at.press(...keys);
  const open = (text: string) => at.openMarkdown(text);
  const is = (wanted: string) => at.is(wanted);

  test("EDIT3 what is cut comes back when it is pasted: notes, formulas of digits, links to pages and of other programs", async () => {
    await at.open(["Another page."]);
    const page = at.id;
    const text = `Text $5$ to [a page](svc://doc/${page}) and [a note](obsidian://x).\n\n---\n\nlast[^1]\n\n$$\n7\n$$\n\n[^1]: The note\n`;
    await open(text);
    await at.shown("> p").click();
    await press("Control+a", "Control+x");
    await is("");
    await press("Control+v");
    await is(text);
    await press("Control+z", "Control+z");
    await is(text);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT3 pasted text keeps signs that are no Markdown; with Shift it keeps all; an address alone keeps its own", async () => {
    const put = (text: string) => at.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await at.open([""]);
    await at.shown("> p").click();
    await put("b * c * d");
    await press("Control+v", "Enter");
    await put("a **b** ~~c~~");
    await press("Control+Shift+v", "Enter");
    await put("https://example.com/?a=*1*&b=_2_");
    await press("Control+v");
    await is("b \\* c \\* d\n\na \\*\\*b\\*\\* \\~\\~c\\~\\~\n\n<https://example.com/?a=*1*&b=_2_>");
  });

  test("EDIT23 a break between blocks is no line, and code has no empty last line", async () => {
    await at.open([""]);
    await at.shown("> p").click();
    await at.paste({
      "text/html":
        "<b style='font-weight:normal' id='docs-internal-guid-1'><p><span>One</span></p><br><p><span>Two</span></p></b><pre><code class='language-js'>run();\n</code></pre>",
    });
    await is("One\n\nTwo\n\n```js\nrun();\n```");
  });

  test("EDIT3 what is copied from a page that is read is pasted as it is written there", async () => {
    await at.open(["Another page."]);
    const text = `## Head\n\n- [ ] open\n- [x] done\n\n> [!WARNING]\n> Careful\n\nMath $x < y$ and a note[^1], see [there](svc://doc/${at.id}).\n\n$$\ny^2 & z\n$$\n\n<details>\n<summary>Sum</summary>\n\nin\n\n</details>\n\n[^1]: The **note**\n`;
    await open(text);
    await at.page.goto(`/documents/${at.id}`);
    await at.page.evaluate(`getSelection().selectAllChildren(document.querySelector(".prose"))`);
    await press("Control+c");
    await at.open([""]);
    await at.block("").click();
    await press("Control+v");
    await is(text);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT23 tasks, formulas, boxes and titles of other programs are what they were there", async () => {
    const pasted = async (html: string, wanted: string) => {
      await at.open([""]);
      await at.block("").click();
      await at.paste({ "text/html": html });
      await is(wanted);
    };
    const katex = (tex: string) =>
      `<span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">${tex}</annotation></semantics></math><span class="katex-html">x</span></span>`;
    await pasted(
      '<ul><li><input type="checkbox" checked disabled> git</li></ul><p>and</p><ul><li role="checkbox" aria-checked="true"><p>docs</p></li><li role="checkbox" aria-checked="false"><p>open</p></li></ul><p>and</p><ul><li>[x] sign</li></ul><p>and</p><ul><li>[ ] sign</li><li>none</li></ul>',
      "- [x] git\n\nand\n\n- [x] docs\n- [ ] open\n\nand\n\n- [x] sign\n\nand\n\n- \\[ ] sign\n- none",
    );
    await pasted(
      `<p>In ${katex("a_1")} line</p><span class="katex-display">${katex("b")}</span><p><math alttext="{\\displaystyle c}"><mi>c</mi></math></p>`,
      "In $a_1$ line\n\n$$\nb\n$$\n\n$c$",
    );
    await pasted(
      '<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>Do it</p></div>',
      "> [!TIP]\n> Do it",
    );
    await pasted(
      "<p class=MsoTitle>Title</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoQuote>Said</p>",
      "# Title\n\n> Said",
    );
    assert.deepEqual(at.problems, []);
  });

  test("EDIT3 selected cells are copied as a table", async () => {
    await open(`${TABLE}| e | f |\n`);
    const box = async (cell: number) => defined(await at.page.locator(`${SURFACE} td`).nth(cell).boundingBox());
    const [first, last] = [await box(0), await box(3)];
    await at.page.mouse.move(first.x + 10, first.y + 10);
    await at.page.mouse.down();
    await at.page.mouse.move(last.x + 20, last.y + 10, { steps: 6 });
    await at.page.mouse.up();
    await press("Control+c");
    const copied = await at.page.evaluate("navigator.clipboard.readText()");
    assert.equal(copied, "| c | d |\n| --- | --- |\n| e | f |");
  });

  test("EDIT16 cells of a spreadsheet are pasted beside merged cells, which keep their text", async () => {
    const cells = (...row: readonly string[]) =>
      `<tr>${row.map((one) => `<td${one.endsWith("|") ? ' rowspan="2"' : ""}>${one.replace("|", "")}</td>`).join("")}</tr>`;
    await at.open([""]);
    await at.block("").click();
    await at.paste({ "text/html": `<table>${cells("a", "b|", "c")}${cells("d", "e")}${cells("f", "g", "h")}</table>` });
    await at.shown("td:has-text('d')").click();
    await press("End");
    await at.paste({ "text/plain": "1\t2\n3\t4\n" });
    const rows = (nodes: readonly Loose[]): string[] =>
      nodes.find(({ type }) => type === "table")?.content.map((row: Loose) => row.content.map(plainText).join()) ?? [];
    await at.body("all are there", (_json, nodes) => rows(nodes).join(" ") === "a,b,c 1,2,e 3,4,h");
    assert.deepEqual(at.problems, []);
  });
});
