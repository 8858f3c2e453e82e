import assert from "node:assert/strict";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import type { Page } from "playwright-core";
import { readNodes } from "../../server/test/support/bodies.ts";
import { assertStatus, type Loose } from "../../server/test/support/client.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, type Stage } from "./browser.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";
import { makeAccount, signedInAs } from "./people.ts";

const BLOCKS = 3000;
const line = (at: number): string => `Line ${at} of the handbook.`;

/** A long document, the texts that its blocks should have, and the ids that they had when it was made. */
class LongDocument extends EditorPage {
  texts: string[] = [];
  blockIds: string[] = [];

  static override async start(stage: Stage): Promise<LongDocument> {
    const { page, client, account } = await EditorPage.start(stage);
    return new LongDocument(page, client, account);
  }

  async openLong(): Promise<void> {
    this.texts = Array.from({ length: BLOCKS }, (_, at) => line(at));
    await this.open(this.texts.map((text) => p(text)));
    this.blockIds = (await readNodes(this.client, this.id)).nodes.map(({ attrs }) => attrs.id);
  }

  /** The blocks in the editor; the page reports them with the next frame. */
  async part(): Promise<{ from: number; to: number; total: number }> {
    const part = { from: 0, to: 0, total: 0 };
    await until("the part is told", async () => {
      const text = defined(await this.page.locator("[data-part]").getAttribute("data-part"));
      const [from = 0, to = 0, total = 0] = text.split(/[-/]/).map(Number);
      Object.assign(part, { from, to, total });
      return to - from === (await this.page.locator(`${SURFACE} > [data-id]`).count());
    });
    return part;
  }

  /** The caret at the end or the beginning of a shown block, without scrolling there. */
  async caretAt(index: number, side: "start" | "end"): Promise<void> {
    await this.page.evaluate(`{
      const { editor } = document.querySelector("${SURFACE}");
      let position = 0;
      for (let i = 0; i < ${index}; i++) position += editor.state.doc.child(i).nodeSize;
      const size = editor.state.doc.child(${index}).nodeSize;
      editor.view.focus();
      editor.commands.setTextSelection(${side === "start" ? "position + 1" : "position + size - 1"});
    }`);
  }

  async goTo(at: number): Promise<void> {
    await this.page.evaluate(`location.hash = "#${this.blockIds[at]}"`);
    await this.block(line(at)).waitFor();
  }

  /** The body is as the texts say, no id is there twice, and every block that still has its text has its id. */
  async agrees(): Promise<void> {
    const textsOf = (nodes: Loose[]): string[] =>
      nodes.map(({ content = [] }) => content.map(({ text = "" }: Loose) => text).join(""));
    const wanted = this.texts.join("\n");
    let nodes: Loose[] = [];
    await this.body("the body is as the model says", (_json, all) => {
      nodes = all;
      return textsOf(all).join("\n") === wanted;
    }).catch(async (error) => {
      const texts = textsOf(nodes);
      const at = texts.findIndex((text, index) => text !== this.texts[index]);
      const status = await this.page.locator('[data-editor-part="status"]').textContent();
      assert.deepEqual(
        texts.slice(at, at + 3),
        this.texts.slice(at, at + 3),
        `${status}: from ${at} on, ${texts.length} blocks`,
      );
      throw error;
    });
    await this.saved();
    const ids: string[] = nodes.map(({ attrs }) => attrs.id);
    assert.equal(new Set(ids).size, ids.length);
    const known = new Map(this.blockIds.map((id, at) => [line(at), id]));
    this.texts.forEach((text, at) => {
      if (known.has(text)) assert.equal(ids[at], known.get(text), text);
    });
    assert.deepEqual(this.problems, []);
  }
}

inBrowser("the editor with a long document", (stage) => {
  let editor: LongDocument;
  before(async () => {
    editor = await LongDocument.start(stage);
  });
  const press = (key: string) => editor.page.keyboard.press(key);
  const type = (text: string) => editor.page.keyboard.type(text);
  const scrollToEnd = async () => {
    await until("the end is shown", async () => {
      await editor.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      return (await editor.part()).to === BLOCKS;
    });
  };

  test("EDIT26 a part is shown; what is typed in it stands where it was typed, joins reach over its ends", async () => {
    await editor.openLong();
    const { from, to, total } = await editor.part();
    assert.deepEqual([from, total, to < 1000], [0, BLOCKS, true]);
    await editor.goTo(1500);
    await editor.typeAt(line(1500), " Middle.");
    editor.texts[1500] += " Middle.";
    await editor.agrees();

    const { from: first } = await editor.part();
    assert.ok(first > 1000);
    await editor.caretAt(0, "start");
    await press("Backspace");
    await type(" Joined. ");
    editor.texts.splice(first - 1, 2, `${line(first - 1)} Joined. ${line(first)}`);
    await editor.agrees();

    const end = await editor.part();
    const [upper = "", lower = ""] = editor.texts.slice(end.to - 1, end.to + 1);
    await editor.caretAt(end.to - end.from - 1, "end");
    await press("Delete");
    await press("Enter");
    await type("New. ");
    editor.texts.splice(end.to - 1, 2, upper, `New. ${lower}`);
    await editor.agrees();
  });

  test("EDIT26 who scrolled away from the caret types where it is; undo shows what it takes back", async () => {
    await editor.openLong();
    await editor.goTo(100);
    await editor.block(line(100)).click();
    await press("End");
    await scrollToEnd();
    await press("!");
    editor.texts[100] += "!";
    const back = await editor.part();
    assert.ok(back.from <= 100 && back.to > 100 && back.to < BLOCKS);
    await editor.agrees();
    await scrollToEnd();
    await press("Control+z");
    editor.texts[100] = line(100);
    await editor.agrees();
    await editor.block(line(100)).waitFor();
  });

  test("EDIT26 blocks that are pasted at the end of the part stand there; an id of a block elsewhere is not taken from it", async () => {
    await editor.openLong();
    await editor.goTo(2000);
    const { from, to } = await editor.part();
    await editor.page.evaluate(`{
      const { editor } = document.querySelector("${SURFACE}");
      const node = editor.schema.nodeFromJSON({ type: "paragraph", attrs: { id: "${editor.blockIds[5]}" }, content: [{ type: "text", text: "A copy" }] });
      editor.view.dispatch(editor.state.tr.insert(0, node));
    }`);
    await editor.caretAt(to - from, "end");
    await editor.paste({ "text/html": "<p></p><h2>Pasted one</h2><p>Pasted two</p>" });
    editor.texts.splice(to, 0, "Pasted one", "Pasted two");
    editor.texts.splice(from, 0, "A copy");
    await editor.agrees();
  });

  test("EDIT27 select all means the whole document: it is copied and deleted as a whole, and comes back", async () => {
    await editor.openLong();
    await editor.block(line(3)).click();
    await press("Control+a");
    const copied = await editor.page.evaluate<string>(`(() => {
      const clipboardData = new DataTransfer();
      document.querySelector("${SURFACE}").dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData("text/plain");
    })()`);
    assert.deepEqual([copied.includes(line(0)), copied.includes(line(BLOCKS - 1))], [true, true]);
    await press("Delete");
    editor.texts = [""];
    await editor.agrees();
    await press("Control+z");
    editor.texts = Array.from({ length: BLOCKS }, (_, at) => line(at));
    await editor.agrees();
  });

  test("EDIT8 find and replace reaches what is not shown", async () => {
    await editor.openLong();
    await editor.block(line(0)).click();
    await press("Control+f");
    await editor.page.getByLabel("Find", { exact: true }).fill("line 2999 of");
    const found = editor.page.locator('[data-editor-part="find"] output');
    await until("it is counted", async () => (await found.textContent()) === "1 found");
    await editor.page.getByRole("button", { name: "Next" }).click();
    await editor.block(line(2999)).waitFor();
    const selected = `(({ state: { doc, selection } }) => doc.textBetween(selection.from, selection.to))(document.querySelector("${SURFACE}").editor)`;
    assert.equal(await editor.page.evaluate(selected), "Line 2999 of");
    await editor.page.getByLabel("Find", { exact: true }).fill("handbook");
    await editor.page.getByLabel("Replace with").fill("guide");
    await editor.page.getByRole("button", { name: "Replace all" }).click();
    editor.texts = editor.texts.map((text) => text.replace("handbook", "guide"));
    await editor.agrees();
    await until("none is left", async () => (await found.textContent()) === "0 found");
  });

  test("EDIT11 a footnote in the middle of a long document has its note at the end", async () => {
    await editor.openLong();
    await editor.goTo(1200);
    await editor.typeAt(line(1200), "[^1]");
    const nodes = await editor.body("the note is there", (json) => json.includes("footnoteDefinition"));
    assert.deepEqual([nodes.length, nodes.at(-1)?.type], [BLOCKS + 1, "footnoteDefinition"]);
    assert.match(JSON.stringify(nodes[1200]), /footnoteReference/);
    assert.deepEqual(editor.problems, []);
  });

  test("EDIT26 what others write shows within the part and leaves it alone elsewhere; a link and a name lead to a block", async () => {
    await editor.openLong();
    await editor.page.goto("/");
    await editor.page.goto(`/documents/${editor.id}/edit#${editor.blockIds[2500]}`);
    await editor.saved();
    await editor.block(line(2500)).waitFor();
    const { from, to } = await editor.part();
    const bob = await makeAccount(stage, { name: "Bob", workspace: editor.account.workspaceId, role: "editor" });
    const other: Page = await signedInAs(stage, bob);
    await other.goto(`/documents/${editor.id}/edit`);
    const lineOf = (page: Page, at: number) => page.locator(`${SURFACE} > *`, { hasText: line(at) }).first();
    await lineOf(other, 10).click();
    await other.keyboard.press("End");
    await other.keyboard.type(" By Bob.");
    editor.texts[10] += " By Bob.";
    const inside = { type: "paragraph", content: [{ type: "text", text: "By a program." }] };
    const position = { after_block_id: editor.blockIds[2500] };
    assertStatus(await editor.client.post(`/documents/${editor.id}/blocks`, { position, nodes: [inside] }), 201);
    editor.texts.splice(2501, 0, "By a program.");
    await editor.block("By a program.").waitFor();
    await editor.agrees();
    // The page reports the part with the next frame.
    await until("the part has one block more", async () =>
      isDeepStrictEqual(await editor.part(), { from, to: to + 1, total: BLOCKS + 1 }),
    );
    await editor.page.getByRole("button", { name: "Bob" }).click();
    await editor.block("By Bob.").waitFor();
    await editor.page.locator(".caret-name", { hasText: "Bob" }).waitFor();
    await other.close();
  });

  test("EDIT26 offline edits in several parts are kept and stored when one is back", async () => {
    await editor.openLong();
    await editor.block(line(1)).waitFor();
    await editor.page.context().setOffline(true);
    await stage.world.app.services.live.dropSockets();
    await editor.page.locator('[data-editor-part="status"]', { hasText: "Offline" }).waitFor();
    for (const at of [1, 1700, 2999]) {
      await editor.goTo(at);
      await editor.typeAt(line(at), " Offline.");
      editor.texts[at] += " Offline.";
    }
    await editor.page.context().setOffline(false);
    await editor.agrees();
  });
});
