import { plainText } from "@svc/document/read/text";
import { p } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import type { Locator, Page } from "playwright-core";
import { makeBody, readNodes } from "../../server/test/support/bodies.ts";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { markdown } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import type { Stage } from "./browser.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";

export const SURFACE = ".ProseMirror";

/** One person at one browser with one program, who opens one document after the other: a file of tests shares them. */
export class EditorPage {
  readonly page: Page;
  readonly client: Client;
  readonly account: Account;
  readonly #problems: string[] = [];
  id = "";

  protected constructor(page: Page, client: Client, account: Account) {
    this.page = page;
    this.client = client;
    this.account = account;
    page.on("pageerror", (error) => this.#problems.push(String(error)));
    // Violations of the content policy are reported there.
    page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text())) this.#problems.push(message.text());
    });
  }

  static async start(stage: Stage): Promise<EditorPage> {
    const account = await makeAccount(stage, { name: "Ada" });
    return new EditorPage(await signedInAs(stage, account), await programOf(stage, account), account);
  }

  /** A new document of lines, or of given blocks, in the editor, ready for keys. */
  async open(blocks: readonly (string | Node)[]): Promise<void> {
    const body = blocks.map((block) => (typeof block === "string" ? p(block) : block));
    this.id = (await makeBody(this.client, body)).id;
    await this.reopen();
  }

  /** A new document with this Markdown in the editor. */
  async openMarkdown(text: string): Promise<void> {
    await this.open([""]);
    await this.client.put(`/documents/${this.id}/content`, markdown(text), { ifMatch: "*" });
    await this.reopen();
  }

  /** Waits until the body is this Markdown. */
  async is(wanted: string): Promise<void> {
    let text = "";
    await until(`the Markdown is ${wanted}`, async () => {
      text = (await this.client.get(`/documents/${this.id}/content?format=markdown`)).text;
      return text.trim() === wanted.trim();
    }).catch((error) => {
      throw new Error(`${error}\n${text}`);
    });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async reopen(): Promise<void> {
    this.#problems.length = 0;
    await this.page.goto(`/documents/${this.id}/edit`);
    await this.saved();
    await this.page.locator(`[data-editor-ready] ${SURFACE}[contenteditable="true"]`).waitFor();
  }

  saved(): Promise<void> {
    return this.page.locator('[data-editor-part="status"]', { hasText: /^Saved$/ }).waitFor();
  }

  /** Errors of the page's scripts, and what its content policy refused. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  get tools(): Locator {
    return this.page.getByRole("toolbar", { name: "Tools for this block" });
  }

  /** A choice of one of the menus at the table. */
  async tableTool(menu: "Row" | "Column" | "Cells", name: string): Promise<void> {
    await this.page.getByRole("button", { name: menu, exact: true }).click();
    await this.page.getByRole("menuitem", { name, exact: true }).click();
  }

  block(text: string): Locator {
    return this.page.locator(`${SURFACE} > *`, { hasText: text }).first();
  }

  shown(selector: string): Locator {
    return this.page.locator(`${SURFACE} ${selector}`).first();
  }

  /** Types at the end of the block with this text. */
  async typeAt(text: string, typed: string): Promise<void> {
    await this.block(text).click();
    await this.page.keyboard.press("End");
    await this.page.keyboard.type(typed);
  }

  /** By the slash menu, at the caret. */
  async insert(name: string, lead = " "): Promise<void> {
    await this.page.keyboard.type(`${lead}/${name.replace(/\W.*/, "")}`);
    await this.page.getByRole("option", { name, exact: true }).click();
    await this.page.getByRole("listbox").waitFor({ state: "hidden" });
  }

  /** Selects all of the line with this text. */
  async selectLine(text: string): Promise<void> {
    await this.block(text).click();
    await this.page.keyboard.press("End");
    await this.page.keyboard.press("Shift+Home");
  }

  /** A paste as the browser tells of it; the script of a page is text here, without the browser's types. */
  paste(content: Readonly<Record<string, string>>): Promise<unknown> {
    const sets = Object.entries(content).map(
      ([type, text]) => `clipboardData.setData(${JSON.stringify(type)}, ${JSON.stringify(text)});`,
    );
    return this.page.evaluate(`{
      const clipboardData = new DataTransfer();
      ${sets.join("\n")}
      document.querySelector("${SURFACE}").dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }`);
  }

  /** The body once it is as wanted. */
  async body(what: string, isThere: (json: string, nodes: Loose[]) => boolean): Promise<Loose[]> {
    let nodes: Loose[] = [];
    await until(what, async () => {
      nodes = (await readNodes(this.client, this.id)).nodes;
      return isThere(JSON.stringify(nodes), nodes);
    });
    return nodes;
  }

  /** The ids of the blocks, once these are their texts. */
  async ids(texts: readonly string[]): Promise<string[]> {
    const nodes = await this.body(
      `the blocks are ${texts.join(" | ")}`,
      (_, now) => JSON.stringify(now.map(plainText)) === JSON.stringify(texts),
    );
    return nodes.map(({ attrs }) => attrs.id);
  }

  /** The body as Markdown, once it has this. */
  async markdown(wanted: RegExp): Promise<string> {
    let text = "";
    await until(`Markdown has ${wanted}`, async () => {
      text = (await this.client.get(`/documents/${this.id}/content?format=markdown`)).text;
      return wanted.test(text);
    }).catch((error) => {
      throw new Error(`${error}\n${text}`);
    });
    return text;
  }

  /** A program writes the whole as Markdown, with one text for another. */
  async programReplaces(old: string, fresh: string): Promise<void> {
    await this.saved();
    const path = `/documents/${this.id}/content`;
    const { text } = await this.client.get(`${path}?format=markdown&annotate=anchors`);
    if (!text.includes(old)) throw new Error(`No ${old} in\n${text}`);
    await this.client.put(path, markdown(text.replace(old, fresh)), { ifMatch: "*" });
  }
}
