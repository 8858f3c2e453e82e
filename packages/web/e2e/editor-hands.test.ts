import assert from "node:assert/strict";
import { before, test } from "node:test";
import { defined } from "@svc/document/defined";
import { h, p } from "@svc/document/testing/builders";
import type { Locator } from "playwright-core";
import { png } from "../../server/test/support/attachments.ts";
import { readNodes, textsOf } from "../../server/test/support/bodies.ts";
import type { Loose } from "../../server/test/support/client.ts";
import { makeDocument, markdown } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, stopClock } from "./browser.ts";
import { openPanel, pageMenu } from "./document-page.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";
import { violations } from "./violations.ts";

const boxOf = async (one: Locator) => defined(await one.boundingBox());
const SHOTS = process.env.SVC_TEST_SHOTS;

inBrowser("the editor's hands", (stage) => {
  let at: EditorPage;
  before(async () => {
    at = await EditorPage.start(stage);
    await at.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  const shot = async (name: string) => {
    if (SHOTS) await at.page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  const idsOf = async () => (await readNodes(at.client, at.id)).nodes.map(({ attrs }: Loose) => attrs.id);
  const isOrder = (wanted: string) => async () => (await textsOf(at.client, at.id)).join() === wanted;

  test("EDIT18 a block is dragged by its handle, and keeps its id", async () => {
    await at.open(["One.", "Two.", "Three."]);
    const [one, two, three] = await idsOf();
    await at.block("Three.").hover();
    const handle = await boxOf(at.page.getByRole("button", { name: "Block actions" }));
    const first = await boxOf(at.block("One."));
    await at.page.mouse.move(handle.x + 6, handle.y + 6);
    await at.page.mouse.down();
    await at.page.mouse.move(first.x - 12, first.y + first.height, { steps: 8 });
    await at.page.mouse.move(first.x - 12, first.y + 4, { steps: 4 });
    await at.page.mouse.up();
    await until("it stands first", isOrder("Three.,One.,Two."));
    assert.deepEqual(await idsOf(), [three, one, two]);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT4 the handle goes when the text moves, and comes back to the block under the pointer", async () => {
    await at.open(["One.", "Two."]);
    const handle = at.page.getByRole("button", { name: "Block actions" });
    const size = defined(at.page.viewportSize());
    await at.block("Two.").hover();
    await handle.waitFor();
    await at.page.setViewportSize({ width: size.width - 200, height: size.height });
    await handle.waitFor({ state: "hidden" });
    await at.block("One.").hover();
    await handle.waitFor();
    const [place, block] = [await boxOf(handle), await boxOf(at.block("One."))];
    assert.ok(place.x < block.x && place.y < block.y + block.height, JSON.stringify({ place, block }));
    await at.page.setViewportSize(size);
    await at.block("Two.").click();
    await handle.waitFor();
  });

  test("EDIT18 Shift and an arrow back select a block less; from within a line they select text", async () => {
    const selected = () => at.page.evaluate<string>("getSelection().toString().replaceAll(/\\n+/g, '|')");
    await at.open(["One.", "Two.", "Three.", "Four."]);
    await at.block("Two.").click();
    await at.press("Escape", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp");
    assert.equal(await selected(), "Two.|Three.");
    await at.press("Shift+ArrowUp", "Shift+ArrowUp");
    assert.equal(await selected(), "One.|Two.");
    await at.block("One.").click();
    await at.press("Home", "ArrowRight", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown");
    assert.match(await selected(), /^e\.\|Two\.\|Thr?e?$/);
    await at.press("Shift+ArrowUp");
    assert.match(await selected(), /^e\.\|Two?$/);
  });

  test("EDIT18 several blocks are selected by keys and by the handle, and moved, copied and deleted together", async () => {
    await at.open(["One.", "Two.", "Three.", "Four."]);
    const before = await idsOf();
    await at.block("Two.").click();
    await at.page.keyboard.press("Escape");
    await at.page.keyboard.press("Shift+ArrowDown");
    await at.page.keyboard.press("Alt+ArrowUp");
    await until("both are moved", isOrder("Two.,Three.,One.,Four."));
    const after = await idsOf();
    assert.deepEqual(after, [before[1], before[2], before[0], before[3]]);
    await at.page.keyboard.press("Control+Shift+d");
    await until("both are there twice", isOrder("Two.,Three.,Two.,Three.,One.,Four."));
    assert.equal(new Set(await idsOf()).size, 6);
    await at.block("One.").click();
    await at.block("Four.").hover();
    await at.page.getByRole("button", { name: "Block actions" }).click({ modifiers: ["Shift"] });
    await at.page.keyboard.press("Control+Shift+Backspace");
    await until("both are gone", isOrder("Two.,Three.,Two.,Three."));
    await at.page.keyboard.press("Control+z");
    await until("undo brings them back", isOrder("Two.,Three.,Two.,Three.,One.,Four."));
    assert.deepEqual(at.problems, []);
  });

  test("EDIT19 settings of the page are changed in one form, and shown at once and where it is read", async () => {
    await at.open([h(1, "Head"), "Text."]);
    await at.client.put(`/documents/${at.id}/properties`, { properties: { tags: ["a"], count: 3 } }, { ifMatch: "*" });
    await (await pageMenu(at.page)).getByRole("button", { name: "Page settings" }).click();
    const form = at.page.getByRole("dialog", { name: "Page settings" });
    await form.getByLabel("Title").fill("A set page");
    await form.getByLabel("Icon").fill("🌿");
    await form.getByLabel("Number the headings").check();
    await form.getByLabel("Full width").check();
    await form.getByLabel("Background").selectOption("Green");
    await form.getByLabel("Value").first().fill("a, b");
    await form.getByRole("button", { name: "Add a property" }).click();
    await form.getByLabel("Name").last().fill("status");
    await form.getByLabel("Value").last().fill("draft");
    assert.deepEqual(await violations(at.page), []);
    await shot("editor-settings");
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    await at.page.locator(`${SURFACE}.numbered`).waitFor();
    const { data } = await at.client.get(`/documents/${at.id}`);
    assert.deepEqual([data.title, data.heading_numbered, data.background_color], ["A set page", true, "#e8f5e6"]);
    const { properties } = (await at.client.get(`/documents/${at.id}/properties`)).data;
    assert.deepEqual(properties, { tags: ["a", "b"], count: 3, status: "draft", icon: "🌿", full_width: true });
    await at.reopen();
    await at.page.locator(`.editor.coloured.full-width ${SURFACE}.numbered`).waitFor();
    await at.page.goto(`/documents/${at.id}`);
    await at.page.locator(".full-width.coloured .prose.numbered").waitFor();
    await openPanel(at.page, "Info");
    assert.deepEqual(await at.page.locator(".properties dt").allInnerTexts(), ["tags", "count", "status"]);
    await at.page.locator(".document-title", { hasText: "🌿" }).waitFor();
    await shot("reading-settings");
    assert.deepEqual(at.problems, []);
  });

  test("EDIT19 what the form cannot keep is said at its field, and nothing is saved", async () => {
    await at.open(["Text."]);
    await at.client.put(`/documents/${at.id}/properties`, { properties: { status: "draft" } }, { ifMatch: "*" });
    await (await pageMenu(at.page)).getByRole("button", { name: "Page settings" }).click();
    const form = at.page.getByRole("dialog", { name: "Page settings" });
    const save = form.getByRole("button", { name: "Save" });
    const add = form.getByRole("button", { name: "Add a property" });
    const read = async () => (await at.client.get(`/documents/${at.id}/properties`)).data.properties;
    await form.getByLabel("Icon").fill("hello");
    await add.click();
    await form.getByLabel("Name").last().fill("status");
    await form.getByLabel("Value").last().fill("done");
    await add.click();
    await form.getByLabel("Value").last().fill("nameless");
    await save.click();
    await form.getByText("There is another property with this name.").waitFor();
    await form.getByText("Enter a name.").waitFor();
    await form.getByText("This is more than one character.").waitFor();
    assert.deepEqual(await violations(at.page), []);
    assert.deepEqual(await read(), { status: "draft" });
    await form.getByLabel("Icon").fill("👩‍🚀");
    await form.getByLabel("Name").nth(1).fill("state");
    await form.getByLabel("Name").last().fill("note");
    await save.click();
    await form.waitFor({ state: "hidden" });
    assert.deepEqual(await read(), { status: "draft", state: "done", note: "nameless", icon: "👩‍🚀" });
  });

  test("EDIT20 a section is folded for everybody, and opens where a link leads into it", async () => {
    await at.open([h(2, "First"), "Hidden text.", h(2, "Second"), "Shown text."]);
    await at.block("First").click();
    await at.page.keyboard.press("Control+.");
    await at.block("Hidden text.").waitFor({ state: "hidden" });
    await at.block("Shown text.").waitFor();
    const [first, hidden] = await idsOf();
    await until("the document knows", async () => {
      const { data } = await at.client.get(`/documents/${at.id}`);
      return data.collapsed_block_ids.join() === first;
    });
    await at.page.goto(`/documents/${at.id}`);
    const text = at.page.locator(".prose .block", { hasText: "Hidden text." });
    await text.waitFor({ state: "hidden" });
    await at.page.getByRole("button", { name: "Unfold the section" }).click();
    await text.waitFor();
    await at.page.goto(`/documents/${at.id}?block=${hidden}#${hidden}`);
    await text.waitFor();
    await at.reopen();
    await at.block("Hidden text.").waitFor({ state: "hidden" });
    await at.page.getByRole("button", { name: "Unfold the section" }).click();
    await at.block("Hidden text.").waitFor();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT21 a link to a page tells its title of now; one that leads nowhere is marked; a pasted address is titled", async () => {
    const target = await makeDocument(at.client, { title: "Old title", text: "Text.\n" });
    const gone = await makeDocument(at.client, { title: "Gone page", text: "Text.\n" });
    const link = (text: string, id: string, title: string | null = null) => ({
      type: "paragraph",
      content: [{ type: "text", text, marks: [{ type: "link", attrs: { href: `svc://doc/${id}`, title } }] }],
    });
    await at.client.patch(`/documents/${target.id}`, { title: "New title" });
    await at.client.delete(`/documents/${gone.id}`);
    await at.open([
      link("Own words", target.id),
      link("Old title", target.id, "Old title"),
      link("Gone page", gone.id),
      "End.",
    ]);
    await at.shown('.link-page[title="Now called “New title”"]').getByText("Own words").waitFor();
    const links = at.page.locator(`${SURFACE} a`);
    await links.getByText("New title").waitFor();
    assert.equal(await links.getByText("Old title").isVisible(), false);
    await at.shown(".link-dangling").getByText("Gone page").waitFor();
    await shot("editor-links");
    await at.typeAt("End.", " ");
    await at.paste({ "text/plain": `${stage.world.url}/documents/${target.id}` });
    const text = await at.markdown(new RegExp(`\\[New title\\]\\(svc://doc/${target.id} "New title"\\)`));
    assert.ok(text.includes(`[Old title](svc://doc/${target.id} "Old title")`), "the body keeps its words");
    assert.deepEqual(at.problems, []);
    await at.page.goto(at.page.url().replace(/\/edit.*/, ""));
    for (const [name, count] of Object.entries({ "Own words": 1, "New title": 2, "Old title": 0 }))
      assert.equal(await at.page.locator(".block").getByRole("link", { name, exact: true }).count(), count, name);
  });

  test("EDIT5 Enter chooses what all the letters find; the list stays while others write above", async () => {
    await makeDocument(at.client, { title: "Quagga" });
    await makeDocument(at.client, { title: "Quokka" });
    await at.open(["Above.", "Line."]);
    await at.page.route(/documents\?.*q=Quokka/, async (route) => {
      await at.programReplaces("Above.", "Written above.");
      await route.continue();
    });
    const option = (name: string) => at.page.getByRole("option", { name: `${name} Page` });
    await at.typeAt("Line.", " [[Qu");
    await option("Quagga").waitFor();
    await at.page.keyboard.type("okka");
    await at.page.keyboard.press("Enter");
    await at.page.keyboard.type("and ");
    await at.shown("a").getByText("Quokka").waitFor();
    await at.page.keyboard.type("[[Quag");
    await option("Quagga").waitFor();
    await at.programReplaces("Written above.", "Written\n\nabove.");
    await at.block("above.").waitFor();
    await at.page.keyboard.press("Enter");
    await at.markdown(/^Written\n\nabove\.\n\nLine\. \[Quokka\]\([^)]*\) and \[Quagga\]\(/);
    await at.page.unroute(/q=Quokka/);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT22 what a program changes while one looks is marked for a moment with its name", async () => {
    await at.open(["One.", "Two.", "Three."]);
    // The mark goes by itself, so the page itself notes that it was there.
    await at.page.evaluate(`{
      globalThis.marked = [];
      new MutationObserver(() => {
        for (const one of document.querySelectorAll(".agent-changed")) globalThis.marked.push(one.textContent + "|" + one.dataset.by);
      }).observe(document.querySelector("${SURFACE}"), { subtree: true, childList: true, attributes: true });
    }`);
    let tries = 0;
    await until("it is marked", async () => {
      // The stream of events may not be open yet: another change comes then.
      if (tries++ % 100 === 0)
        await at.programReplaces(/Two[^\n]*/.exec(await at.markdown(/Two/))![0], `Two, changed ${tries}.`);
      return at.page.evaluate<boolean>(`globalThis.marked.some((one) => /^Two, changed \\d+\\.\\|./.test(one))`);
    });
    await at.page
      .locator('[data-editor-part="news"]', { hasText: /edited a paragraph\.$/ })
      .waitFor({ state: "attached" });
    const others = await at.page.evaluate(`globalThis.marked.filter((one) => /^(One|Three)/.test(one))`);
    assert.deepEqual(others, []);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT23 what Word and Google Docs copy becomes blocks; hostile content of the clipboard is inert", async () => {
    await at.open(["One.", "Two.", "Three."]);
    const item = (level: number, sign: string, text: string) =>
      `<p class=MsoListParagraph style='margin-left:36pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${sign}<span style='font:7pt "Times New Roman"'>&nbsp;&nbsp;</span></span><![endif]>${text}<o:p></o:p></p>`;
    await at.typeAt("One.", "\n");
    await at.paste({
      "text/html": `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p{color:red}</style></head><body><!--StartFragment--><h2 style='color:#2F5496'>From Word</h2><p class=MsoNormal><b>Fat</b> and <span style='color:black;background:white'>plain</span></p>${item(1, "1.", "First")}${item(2, "o", "Inner")}${item(1, "2.", "Second")}<!--EndFragment--></body></html>`,
    });
    await at.markdown(/## .*From Word[\s\S]*\*\*Fat\*\* and plain[\s\S]*1\. First\n\n? {3}- Inner\n\n?2\. Second/);
    await at.typeAt("Two.", "\n");
    await at.paste({
      "text/html": `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-size:11pt;font-family:Arial;color:#000000;background-color:transparent;font-weight:700;">Strong</span><span style="color:#000000;"> words</span></p><ul><li dir="ltr" style="list-style-type:disc"><p dir="ltr"><span style="color:#000000;font-style:italic">Leaning</span></p></li></ul></b>`,
    });
    const text = await at.markdown(/\*\*Strong\*\* words\n\n- [*_]Leaning[*_]/);
    assert.doesNotMatch(text, /000000|Arial|11pt/);
    await at.typeAt("Three.", "\n");
    await at.paste({
      "text/html": `<p>Left <img src=x onerror="globalThis.broken=1"><svg onload="globalThis.broken=1"></svg><math><mtext><script>globalThis.broken=1</script></mtext></math><a href=" javascript:globalThis.broken=1">over</a></p><div data-type="rawHtml" data-html="<img src=x onerror='globalThis.broken=1'>"></div><span data-type="inlineMath" data-latex="\\href{javascript:globalThis.broken=1}{x}"></span><mark data-color="red;position:fixed">mark</mark><table><td style="text-align:left;position:fixed" align="x">cell</td></table>`,
    });
    await at.body("it is pasted", (json) => json.includes("cell"));
    await at.reopen();
    await at.block("cell").waitFor();
    const found = await at.page.evaluate(`({
      broken: globalThis.broken ?? null,
      links: [...document.querySelectorAll("${SURFACE} a")].filter((a) => /script/i.test(a.getAttribute("href") ?? "")).length,
      handlers: document.querySelectorAll("${SURFACE} [onerror], ${SURFACE} [onload]").length,
      fixed: [...document.querySelectorAll("${SURFACE} *")].filter((one) => getComputedStyle(one).position === "fixed").length,
    })`);
    assert.deepEqual(found, { broken: null, links: 0, handlers: 0, fixed: 0 });
  });

  test("EDIT24 an input method writes as one means, while a program writes elsewhere; right-to-left lines stand right", async () => {
    await at.open(["One.", "Two.", "שלום עולם"]);
    await at.typeAt("One.", " ");
    const cdp = await at.page.context().newCDPSession(at.page);
    await cdp.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
    await cdp.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    // Writes this block alone: a write of the whole text would also undo what was typed since it was read.
    const [, two] = await idsOf();
    const content = [{ type: "text", text: "Two by a program." }];
    assert.equal((await at.client.patch(`/documents/${at.id}/blocks/${two}`, { content })).status, 200);
    await at.block("Two by a program.").waitFor();
    await cdp.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    await cdp.send("Input.insertText", { text: "日本" });
    await at.page.keyboard.type("!");
    await until("it is as it was meant", async () => (await textsOf(at.client, at.id))[0] === "One. 日本!");
    const side = await at.page.evaluate(`(() => {
      const line = [...document.querySelectorAll("${SURFACE} > p")].at(-1);
      const range = document.createRange();
      range.selectNodeContents(line);
      return line.getBoundingClientRect().right - range.getBoundingClientRect().right < 4;
    })()`);
    assert.equal(side, true);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT25 what can no longer be saved is said, stays on the page and can be copied", async () => {
    await at.open(["One."]);
    await at.typeAt("One.", " More.");
    await at.saved();
    await at.client.delete(`/documents/${at.id}`);
    const banner = at.page.getByRole("alert").filter({ hasText: "Not saved: the document was deleted" });
    await banner.waitFor();
    const state = await at.page.locator("[data-editor-part=status]").boundingBox();
    assert.ok(state && state.width > 100, "the state is readable");
    await at.block("One. More.").waitFor();
    await banner.getByRole("button", { name: "Copy my text" }).click();
    await until("it is copied", async () =>
      at.page.evaluate<boolean>(`navigator.clipboard.readText().then((text) => text.trim() === "One. More.")`),
    );
    await shot("editor-refused");
  });

  test("EDIT7 files stand in their order before the empty line that they were given to, and one writes on behind them", async () => {
    await at.open(["One.", ""]);
    await at.typeAt("One.", "");
    await at.page.keyboard.press("ArrowDown");
    const chooser = at.page.waitForEvent("filechooser");
    await at.insert("Image or file", "");
    const files = ["a.png", "b.png"].map((name) => ({ name, mimeType: "image/png", buffer: png }));
    await (await chooser).setFiles(files);
    await at.body("both are there", (_, nodes) => nodes.length === 4);
    await at.page.keyboard.type("Below.");
    const nodes = await at.body("the line is written", (json) => json.includes("Below."));
    const shown = nodes.map(({ type, attrs, content = [] }) => (type === "image" ? attrs.alt : content[0]?.text));
    assert.deepEqual(shown, ["One.", "a.png", "b.png", "Below."]);
    assert.deepEqual(at.problems, []);
  });

  test("EDIT4 a letter takes no selected block's place: it goes behind its text, or into a line behind it", async () => {
    await at.open(["With care", { type: "horizontalRule" }]);
    await at.block("With care").click();
    await at.page.keyboard.press("Escape");
    await at.page.keyboard.type(".");
    await at.shown("hr").click();
    await at.page.keyboard.type("Behind the rule.");
    await at.ids(["With care.", "", "Behind the rule."]);
    assert.deepEqual(at.problems, []);
  });

  test("LIVE18 undo takes back line by line what was written without a pause", async () => {
    await stopClock(at.page);
    await at.open(["One."]);
    await at.typeAt("One.", "\nTwo.\nThree.");
    await at.ids(["One.", "Two.", "Three."]);
    await at.page.keyboard.press("Control+z");
    await at.ids(["One.", "Two."]);
    await at.page.keyboard.press("Control+z");
    await at.ids(["One."]);
    await at.page.keyboard.press("Control+y");
    await at.ids(["One.", "Two."]);
    await at.page.clock.resume();
    assert.deepEqual(at.problems, []);
  });

  test("EDIT9 the editor passes axe with every kind of node in it, light, dark and narrow", async () => {
    await at.open([p("One."), h(2, "Head")]);
    const sample =
      "Task:\n\n- [ ] one\n- [x] two\n\n> [!NOTE]\n> A note.\n\n```js\nlet a;\n```\n\n$$\nx\n$$\n\nText[^1] and `code`.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n[^1]: Note.\n";
    await at.client.put(`/documents/${at.id}/content`, markdown(sample), { ifMatch: "*" });
    await at.shown(".footnote-ref").waitFor();
    await at.shown("math").waitFor();
    assert.deepEqual(await violations(at.page), []);
    await shot("editor-all");
    await at.page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await violations(at.page), []);
    await shot("editor-all-dark");
    await at.page.setViewportSize({ width: 400, height: 800 });
    assert.deepEqual(await violations(at.page), []);
    await shot("editor-all-narrow");
    await at.page.setViewportSize({ width: 1280, height: 720 });
    await at.page.emulateMedia({ colorScheme: "light" });
    assert.deepEqual(at.problems, []);
  });
});
