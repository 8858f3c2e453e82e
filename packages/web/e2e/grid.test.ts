import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Locator, Page } from "playwright-core";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { assertStatus } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { Follower, type Layout } from "../src/browser/grid/follow.ts";
import { at } from "../src/browser/grid/selection.ts";
import { inBrowser } from "./browser.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const SHOTS = process.env.SVC_TEST_SHOTS;

const BUDGET = `| Item | Price | Count | Sum |
| --- | --- | --- | --- |
| Pen | 2 | 3 | =PRODUCT(B2:C2) |
| Book | 10 | 4 | =PRODUCT(B3:C3) |
`;

const saved = (page: Page) => page.locator('[data-grid-part="status"]', { hasText: /^Saved$/ }).waitFor();
const cell = (page: Page, row: number, column: number) =>
  page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
const shows = (page: Page, row: number, column: number, text: string) =>
  until(`cell ${row}:${column} shows ${text}`, async () => (await cell(page, row, column).textContent()) === text);

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** A cell's box, once it stops moving: cells are redrawn meanwhile. */
async function boxOf(one: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  let box: Awaited<ReturnType<Locator["boundingBox"]>> = null;
  await until("the cell is on the page", async () => {
    box = await one.boundingBox();
    return box !== null;
  });
  return defined(box ?? undefined);
}

/** A choice of one of the toolbar's menus. */
async function command(page: Page, menu: string, name: string | RegExp): Promise<void> {
  await page.getByRole("toolbar", { name: "Cells" }).getByRole("button", { name: menu, exact: true }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** Puts cells on the clipboard as another program does, and pastes them. */
const paste = (page: Page, data: Readonly<Record<string, string>>) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector(".grid").dispatchEvent(event);
  }`);

/** The clipboard content after a copy in the grid. */
const copy = (page: Page): Promise<Record<"text/plain" | "text/html", string>> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector(".grid").dispatchEvent(event);
    return { "text/plain": clipboardData.getData("text/plain"), "text/html": clipboardData.getData("text/html") };
  })()`);

/** A sheet of named rows and columns; a cell is called by both. */
const sheet = (rows: string, columns: string, tableId = "table"): Layout => ({
  tableId,
  rows: [...rows],
  cells: (row) => [...columns].map((column) => `${rows[row]}${column}`),
});

test("SHEET17 cells are found again by the ids of their rows and columns", () => {
  const follower = new Follower(sheet("1234", "abc"), sheet("10243", "axbc"));
  assert.deepEqual(follower.cell({ row: 1, column: 1 }), { row: 2, column: 2 });
  assert.deepEqual(follower.cell({ row: 2, column: 0 }), { row: 4, column: 0 });
  assert.equal(follower.keepsOrder, false);
  assert.deepEqual(
    follower.selection({ anchor: { row: 2, column: 0 }, head: { row: 3, column: 0 } }),
    at(4, 0),
    "of rows that were sorted apart the first",
  );
});

test("SHEET17 cells beyond the table stay as far behind it, unless others wrote there", () => {
  const place = { row: 3, column: 4 };
  assert.deepEqual(new Follower(sheet("12", "ab"), sheet("012", "xab")).cell(place), { row: 4, column: 5 });
  assert.deepEqual(new Follower(sheet("12", "ab"), sheet("1", "a")).cell(place), { row: 2, column: 3 });
  assert.deepEqual(new Follower(sheet("12", "ab"), sheet("1234", "abcd")).cell(place), place);
  assert.deepEqual(new Follower(sheet("", ""), sheet("12", "ab")).cell(place), place);
});

test("SHEET17 what is gone has no place; a selection shrinks to what is left, or goes to what came there", () => {
  const follower = new Follower(sheet("1234", "abc"), sheet("14", "ac"));
  assert.equal(follower.cell({ row: 1, column: 0 }), undefined);
  assert.equal(follower.cell({ row: 0, column: 1 }), undefined);
  assert.equal(follower.column(1), undefined);
  assert.deepEqual(follower.selection({ anchor: { row: 2, column: 2 }, head: { row: 0, column: 1 } }), {
    anchor: { row: 0, column: 1 },
    head: { row: 0, column: 1 },
  });
  assert.deepEqual(follower.selection(at(2, 1)), at(1, 1));
  assert.equal(new Follower(sheet("1", "a"), sheet("1", "a", "other")).cell({ row: 0, column: 0 }), undefined);
});

inBrowser("the grid", (stage) => {
  async function make(text: string) {
    const ada = await makeAccount(stage, { name: "Ada" });
    const client = await programOf(stage, ada);
    const { id } = await makeDocument(client, { title: "Budget", document_type: "spreadsheet", text });
    return { ada, client, id: String(id) };
  }

  async function open(id: string, account: Loose, options = {}): Promise<Page> {
    const page = await signedInAs(stage, account, options);
    await page.goto(`/documents/${id}/edit`);
    await page.locator("[data-live-grid][data-grid-ready]").waitFor();
    await saved(page);
    return page;
  }

  const markdownOf = async (client: Client, id: string) =>
    (await client.get(`/documents/${id}/content?format=markdown`)).text;
  const bodyIs = (client: Client, id: string, text: string) =>
    until("the body is as written", async () => (await markdownOf(client, id)) === text);
  const sheetOf = async (client: Client, id: string): Promise<Loose> =>
    (await client.get(`/documents/${id}/spreadsheet`)).data.sheets[0];

  test("SHEET10 cells are written, walked and selected by keys; formulas compute; undo takes back one step", async () => {
    const { ada, client, id } = await make(BUDGET);
    const page = await open(id, ada);
    await cell(page, 3, 0).click();
    await page.keyboard.type("All");
    await press(page, "Tab", "Tab", "Tab");
    await page.keyboard.type("=SUM(D2:D3)");
    await press(page, "Enter");
    await shows(page, 3, 3, "46");
    await press(page, "Control+Home", "ArrowDown", "ArrowRight");
    await page.keyboard.type("5");
    await press(page, "Enter");
    await shows(page, 3, 3, "55");
    await saved(page);
    const after = BUDGET.replace("| 2 |", "| 5 |");
    await bodyIs(client, id, `${after}| All |  |  | =SUM(D2:D3) |\n`);
    await press(page, "Control+z");
    await shows(page, 3, 3, "46");
    await press(page, "Control+y");
    await shows(page, 3, 3, "55");
    // Escape leaves a cell as it was, F2 writes on in it.
    await cell(page, 1, 0).click();
    await press(page, "F2");
    await page.keyboard.type("cil");
    await press(page, "Escape", "F2");
    await page.keyboard.type("knife");
    await press(page, "Enter");
    await shows(page, 1, 0, "Penknife");
    await page.locator("input[name=formula]").fill("not this");
    await press(page, "Escape", "ArrowUp");
    await nameIs(page, "A2");
    await shows(page, 2, 0, "Book");
    await press(page, "ArrowDown");
    await press(page, "Shift+ArrowRight", "Shift+ArrowDown", "Delete");
    await shows(page, 2, 0, "");
    await shows(page, 2, 1, "");
    await press(page, "Control+z");
    await shows(page, 2, 1, "10");
    assert.deepEqual(await violations(page), []);
  });

  test("SHEET20 columns have number and date formats, which readers see too, and stay in sight when frozen", async () => {
    const { ada, client, id } = await make(
      "| Item | Price | Due |\n| --- | --- | --- |\n| Tea | 1234.5 | 2026-12-24 |\n",
    );
    const page = await open(id, ada);
    await cell(page, 1, 1).click();
    await command(page, "Format", "1,234.50");
    await shows(page, 1, 1, "1,234.50");
    await cell(page, 1, 2).click();
    await command(page, "Format", "24 Dec 2026");
    await shows(page, 1, 2, "24 Dec 2026");
    await cell(page, 1, 1).click();
    await command(page, "Format", "Other…");
    await page.getByLabel("Format", { exact: true }).fill('0.0 "kg"');
    await press(page, "Enter");
    await shows(page, 1, 1, "1234.5 kg");
    await cell(page, 1, 0).click();
    await command(page, "Column", "Freeze up to this column");
    await page.locator(".grid-cell.is-last-frozen", { hasText: "Tea" }).waitFor();
    /** Distance from the edge of the grid, which a narrower window may move. */
    const left = async () => {
      const [column, grid] = [await cell(page, 1, 0).boundingBox(), await page.locator(".grid").boundingBox()];
      return Math.round(defined(column ?? undefined).x - defined(grid ?? undefined).x);
    };
    const before = await left();
    await page.setViewportSize({ width: 700, height: 700 });
    await page.locator(".grid").evaluate((grid) => grid.scrollBy({ left: 300, behavior: "instant" }));
    await until("the frozen column stays", async () => (await left()) === before);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/grid-formats.png` });
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1280, height: 800 });
    await command(page, "Column", "Unfreeze columns");
    await page.locator(".grid-cell.is-frozen").first().waitFor({ state: "detached" });
    await saved(page);
    assert.match(await markdownOf(client, id), /\| Tea \| 1234\.5 \| 2026-12-24 \|/, "the values stay what they were");
    await page.goto(`/documents/${id}`);
    await page.getByRole("cell", { name: "1234.5 kg" }).waitFor();
    await page.getByRole("cell", { name: "24 Dec 2026" }).waitFor();
  });

  test("SHEET16 a sheet is renamed where its name stands, and formulas that name it follow", async () => {
    const { ada, client, id } = await make(BUDGET);
    const page = await open(id, ada);
    const sheet = (name: string) => page.getByRole("group", { name: "Sheets" }).getByRole("button", { name });
    await command(page, "Sheet", "Add sheet");
    await sheet("Sheet2").waitFor();
    await cell(page, 0, 0).click();
    await page.keyboard.type("=Sheet1!D2+6");
    await press(page, "Enter");
    await shows(page, 0, 0, "12");
    await sheet("Sheet1").dblclick();
    const field = page.getByLabel("Name of the sheet");
    await field.fill("sheet2");
    await press(page, "Enter");
    await page.getByText("There is already a sheet with this name.").waitFor();
    await sheet("Sheet1").dblclick();
    await field.fill("Bo's costs");
    await press(page, "Enter");
    await sheet("Bo's costs").waitFor();
    await until("the formula follows", async () => (await markdownOf(client, id)).includes("='Bo''s costs'!D2+6"));
    await sheet("Sheet2").click();
    await shows(page, 0, 0, "12");
    assert.deepEqual(await violations(page), []);
  });

  test("SHEET10 fill, sort, filter and column types", async () => {
    const { ada, client, id } = await make("| N | Day | Double |\n| --- | --- | --- |\n| 3 | 2026-01-31 | =A2*2 |\n");
    const page = await open(id, ada);
    await cell(page, 1, 2).click();
    await cell(page, 4, 2).click({ modifiers: ["Shift"] });
    await press(page, "Control+d");
    await cell(page, 2, 0).click();
    for (const number of ["1", "2", "10"]) {
      await page.keyboard.type(number);
      await press(page, "Enter");
    }
    await shows(page, 4, 2, "20");
    await cell(page, 1, 0).click();
    await command(page, "Sort", /Largest first/);
    await shows(page, 1, 0, "10");
    await shows(page, 1, 2, "20");
    await shows(page, 4, 2, "2");
    const sheet = async () => (await sheetOf(client, id)).formulas;
    await until("formulas went along", async () => (await sheet()).C2 === "=A2*2" && (await sheet()).C5 === "=A5*2");
    await press(page, "Control+z");
    await shows(page, 1, 0, "3");
    await page.locator("input[name=filter]").fill(">2");
    await page.locator("input[name=filter]").press("Enter");
    await page.getByText("3 of 5 rows").waitFor();
    assert.equal(await cell(page, 2, 0).count(), 0);
    await page.locator("input[name=filter]").fill("");
    await page.locator("input[name=filter]").press("Enter");
    await cell(page, 2, 0).waitFor();
    await page.locator("input[name=filter]").fill(">2");
    await cell(page, 1, 1).click();
    await page.getByText("3 of 5 rows").waitFor();
    await page.locator("input[name=filter]").fill("");
    await page.locator("input[name=filter]").press("Enter");
    await cell(page, 0, 3).click();
    await page.keyboard.type("Done");
    await press(page, "Enter");
    await page.locator("select[name=type]").selectOption("check");
    await cell(page, 1, 3).click();
    await press(page, "Space");
    await shows(page, 1, 3, "☑");
    await cell(page, 1, 0).click();
    await page.locator("select[name=type]").selectOption("number");
    await until("types are kept", async () => {
      const { columns } = await sheetOf(client, id);
      return columns[3]?.type === "check" && columns[0]?.type === "number";
    });
    await command(page, "Row", "Insert row above");
    await until("references keep their cells", async () => (await sheet()).C3 === "=A3*2");
    await command(page, "Column", /^Delete/);
    await until("what is gone is an error", async () => (await sheet()).B3 === "=#REF!*2");
  });

  test("SHEET10 the corner of a selection is dragged to fill the cells below with what follows", async () => {
    const { ada, client, id } = await make(
      "| N | Day | Double |\n| --- | --- | --- |\n| 2 | 2026-01-30 | =A2*2 |\n| 4 |  |  |\n|  |  |  |\n|  |  |  |\n",
    );
    const page = await open(id, ada);
    const drag = async (from: readonly [number, number], to: readonly [number, number], onto: number) => {
      await cell(page, ...from).click();
      await cell(page, ...to).click({ modifiers: ["Shift"] });
      const [corner, target] = [await boxOf(cell(page, ...to)), await boxOf(cell(page, onto, to[1]))];
      await page.mouse.move(corner.x + corner.width - 3, corner.y + corner.height - 3);
      await page.mouse.down();
      await page.mouse.move(target.x + 10, target.y + 10, { steps: 4 });
      await page.mouse.up();
    };
    await drag([1, 0], [2, 0], 4);
    await shows(page, 4, 0, "8");
    await drag([1, 1], [1, 2], 4);
    await shows(page, 4, 2, "16");
    const { formulas } = await sheetOf(client, id);
    assert.equal(formulas.C2, "=A2*2");
    await until("all is in the body", async () =>
      /\| 8 +\| 2026-02-02 +\| =A5\\?\*2/.test(await markdownOf(client, id)),
    );
    await press(page, "Control+z");
    await shows(page, 4, 2, "");
  });

  test("SHEET11 cells go to and come from Excel and Google Sheets over the clipboard; hostile markup is inert", async () => {
    const { ada, id, client } = await make(BUDGET);
    const page = await open(id, ada);
    await cell(page, 4, 0).click();
    await paste(page, { "text/plain": 'Lamp\t7\t2\t=B5*C5\r\n"two\nlines"\t\t\t\r\n' });
    await shows(page, 4, 3, "14");
    await shows(page, 5, 0, "two\nlines");
    await cell(page, 6, 0).click();
    const rows =
      "<tr><td>Desk</td><td x:num>90</td><td><b>1</b><img src=x onerror='window.hacked=1'><script>window.hacked=1</script></td></tr>";
    await paste(page, { "text/html": `<google-sheets-html-origin><table>${rows}</table>`, "text/plain": "no" });
    await shows(page, 6, 1, "90");
    assert.equal(await page.evaluate("window.hacked"), undefined);
    await cell(page, 1, 3).click();
    const copied = await copy(page);
    assert.equal(copied["text/plain"], "6");
    await cell(page, 6, 3).click();
    await paste(page, copied);
    await until(
      "a formula's references go along",
      async () => (await sheetOf(client, id)).formulas.D7 === "=PRODUCT(B7:C7)",
    );
    await saved(page);
  });

  test("SHEET11 a long paste goes out in parts, and undo takes all of it back", async () => {
    const { ada, client, id } = await make("");
    const page = await open(id, ada);
    await cell(page, 0, 0).click();
    const rows = Array.from({ length: 1500 }, (_, i) => `row ${i}\t${i}\tx\t=B${i + 1}+1`);
    await paste(page, { "text/plain": rows.join("\n") });
    await until("all of it is saved", async () => (await sheetOf(client, id))?.values.at(-1)?.[3] === "1500");
    await saved(page);
    await cell(page, 1499, 0).waitFor();
    await press(page, "Control+z");
    await until("all of it is gone", async () => (await sheetOf(client, id)) === undefined);
  });

  test("SHEET12 two people and a program change one sheet at once, and all see all of it", async () => {
    const { ada, client, id } = await make(BUDGET);
    const bob = await makeAccount(stage, { name: "Bob", workspace: ada.workspaceId, role: "editor" });
    const [a, b] = [await open(id, ada), await open(id, bob)];
    await cell(a, 1, 1).click();
    await cell(b, 2, 1).click();
    await a.locator(".has-person").waitFor();
    const edit = { op: "edit_markdown", old: "| Book | 10 | 4 |", new: "| Book | 10 | 5 |" };
    await Promise.all([
      a.keyboard.type("7").then(() => press(a, "Enter")),
      b.keyboard.type("20").then(() => press(b, "Enter")),
      client
        .post(`/documents/${id}/batch`, { base_version: "*", operations: [edit] })
        .then((answer) => assertStatus(answer, 200)),
    ]);
    for (const page of [a, b]) {
      await shows(page, 1, 3, "21");
      await shows(page, 2, 3, "100");
      await saved(page);
    }
    await bodyIs(client, id, BUDGET.replace("| 2 | 3 |", "| 7 | 3 |").replace("| 10 | 4 |", "| 20 | 5 |"));
  });

  async function openTwice(text: string) {
    const { ada, client, id } = await make(text);
    const bob = await makeAccount(stage, { name: "Bob", workspace: ada.workspaceId, role: "editor" });
    const [a, b] = [await open(id, ada), await open(id, bob)];
    return { a, b, client, id };
  }

  const nameIs = (page: Page, name: string) =>
    page.locator('[data-grid-part="cell-name"]', { hasText: new RegExp(`^${name}$`) }).waitFor();

  test("SHEET10 a double click writes on in a cell; Enter after Tabs goes below where they began", async () => {
    const { ada, client, id } = await make(BUDGET);
    const page = await open(id, ada);
    for (const [row, column] of [
      [1, 0],
      [2, 0],
    ] as const) {
      await cell(page, row, column).dblclick();
      await page.locator(".grid-field").waitFor();
      await page.keyboard.type("s");
      await press(page, "Enter");
    }
    await shows(page, 1, 0, "Pens");
    await shows(page, 2, 0, "Books");
    // Two clicks on different cells are no double click.
    await cell(page, 1, 0).click();
    await cell(page, 1, 1).click();
    assert.equal(await page.locator(".grid-field").count(), 0);
    await cell(page, 3, 0).click();
    for (const text of ["Lamp", "7", "1"]) {
      await page.keyboard.type(text);
      await press(page, "Tab");
    }
    await press(page, "Shift+Tab");
    await page.keyboard.type("2");
    await press(page, "Enter");
    await nameIs(page, "A5");
    await press(page, "ArrowRight");
    await page.keyboard.type("8");
    await press(page, "Tab", "ArrowUp", "ArrowDown");
    await page.keyboard.type("9");
    await press(page, "Enter");
    await nameIs(page, "C6");
    const rows = BUDGET.replace("Pen", "Pens").replace("Book", "Books");
    await bodyIs(client, id, `${rows}| Lamp | 7 | 2 |  |\n|  | 8 | 9 |  |\n`);
  });

  test("SHEET10 all selected columns are deleted in one step, and formulas follow", async () => {
    const { ada, client, id } = await make("| A | B | C | D |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | =A2+B2 |\n");
    const page = await open(id, ada);
    await cell(page, 1, 2).click();
    await cell(page, 0, 1).click({ modifiers: ["Shift"] });
    await command(page, "Column", /^Delete/);
    await bodyIs(client, id, "| A | D |\n| --- | --- |\n| 1 | =A2+#REF! |\n");
    await press(page, "Control+z");
    await bodyIs(client, id, "| A | B | C | D |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | =A2+B2 |\n");
  });

  test("SHEET17 what is selected or written stays with its row and column while others insert and delete", async () => {
    const { a, b, client, id } = await openTwice(BUDGET);
    await cell(a, 2, 1).click();
    await a.keyboard.type("1");
    await cell(b, 1, 0).click();
    await command(b, "Row", /row above/);
    await a.getByLabel("Cell B4", { exact: true }).waitFor();
    await command(b, "Column", /column before/);
    await a.getByLabel("Cell C4", { exact: true }).waitFor();
    const edit = { op: "edit_markdown", old: "| Book | 10 |", new: "| Books | 10 |" };
    assertStatus(await client.post(`/documents/${id}/batch`, { base_version: "*", operations: [edit] }), 200);
    await shows(a, 3, 1, "Books");
    await a.keyboard.type("5");
    await press(a, "Enter");
    await nameIs(a, "C5");
    await shows(a, 3, 4, "60");
    // The field above the grid too.
    await cell(a, 3, 3).click();
    await a.locator("input[name=formula]").fill("6");
    await cell(b, 1, 0).click();
    await command(b, "Row", /^Delete/);
    await nameIs(a, "D3");
    await command(b, "Column", /^Delete/);
    await nameIs(a, "C3");
    await press(a, "Enter");
    await shows(b, 2, 3, "90");
    // A range, and back again by undo.
    await cell(a, 1, 1).click();
    await cell(a, 2, 2).click({ modifiers: ["Shift"] });
    await cell(b, 2, 0).click();
    await command(b, "Row", /row above/);
    await until("the new row is in the range", async () => (await a.locator(".grid-cell.is-in").count()) === 6);
    await press(b, "Control+z");
    await until("it is gone again", async () => (await a.locator(".grid-cell.is-in").count()) === 4);
    await bodyIs(client, id, BUDGET.replace("| Book | 10 | 4 |", "| Books | 15 | 6 |"));
  });

  test("SHEET17 what is written in a cell that others delete is shown, and written nowhere else", async () => {
    const { a, b, client, id } = await openTwice(BUDGET);
    await cell(a, 1, 1).click();
    await a.keyboard.type("for pens");
    await cell(b, 1, 0).click();
    await command(b, "Row", /^Delete/);
    await a.getByText("was not saved: for pens").waitFor();
    assert.equal(await a.locator(".grid-field").count(), 0);
    await cell(a, 1, 2).click();
    await a.locator("input[name=formula]").fill("for counts");
    await cell(b, 0, 2).click();
    await command(b, "Column", /^Delete/);
    await shows(a, 0, 2, "Sum");
    await press(a, "Enter");
    await a.getByText("was not saved: for counts").waitFor();
    await saved(a);
    await bodyIs(client, id, "| Item | Price | Sum |\n| --- | --- | --- |\n| Book | 10 | =PRODUCT(B2:B2) |\n");
  });

  test("SHEET17 a row that others sort away takes the writer along; own steps leave the selection in its place", async () => {
    const { a, b, client, id } = await openTwice("| N |\n| --- |\n| 1 |\n| 2 |\n| 3 |\n");
    await cell(a, 1, 0).click();
    await press(a, "F2");
    await a.keyboard.type("0");
    await cell(b, 1, 0).click();
    await command(b, "Sort", /Largest first/);
    await a.getByLabel("Cell A4", { exact: true }).waitFor();
    await press(a, "Enter");
    await bodyIs(client, id, "| N |\n| --- |\n| 3 |\n| 2 |\n| 10 |\n");
    await nameIs(b, "A2");
    await command(b, "Row", /row above/);
    await nameIs(b, "A2");
    await b.keyboard.type("new");
    await press(b, "Enter");
    await shows(b, 1, 0, "new");
    await nameIs(b, "A3");
    await press(b, "Control+z", "Control+z");
    await shows(b, 1, 0, "3");
    await nameIs(b, "A2");
  });

  test("SHEET10 a new spreadsheet is named and then written in at once", async () => {
    const ada = await makeAccount(stage, { name: "Ada" });
    const base = await makeKnowledgeBase(await programOf(stage, ada));
    const page = await signedInAs(stage, ada);
    await page.goto(`/knowledge-bases/${base.id}`);
    await page.getByRole("button", { name: "New spreadsheet" }).click();
    await page.locator("[data-live-grid][data-grid-ready]").waitFor();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Costs");
    await press(page, "Enter");
    await page.keyboard.type("Item");
    await press(page, "Enter");
    await shows(page, 0, 0, "Item");
    await page.getByRole("heading", { name: "Costs" }).waitFor();
    await saved(page);
  });

  test("SHEET12 an empty spreadsheet begins with its first cell; files come in and go out", async () => {
    const { ada, client, id } = await make("");
    const page = await open(id, ada);
    await cell(page, 1, 1).click();
    await page.keyboard.type("x");
    await press(page, "Enter");
    await bodyIs(client, id, "|  |  |\n| --- | --- |\n|  | x |\n");
    await give(page, "in.csv", "a,b\n1,=A2+1\n");
    await page.getByRole("button", { name: "Replace it" }).click();
    await shows(page, 1, 1, "2");
    await page.getByText("What was there before is under Versions.").waitFor();
    assert.equal((await take(page, "CSV")).toString("utf8"), "a,b\r\n1,2\r\n");
  });

  const give = (page: Page, name: string, content: string | Buffer) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });

  async function take(page: Page, format: "CSV" | "XLSX"): Promise<Buffer> {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: format, exact: true }).click();
    return readFileSync(defined(await (await download).path()));
  }

  test("SHEET18 a file replaces what is there only when asked; an empty or broken one changes nothing", async () => {
    const { ada, client, id } = await make("");
    const page = await open(id, ada);
    const empty = await take(page, "XLSX");
    await give(page, "in.csv", "a,b\n1,2\n");
    await shows(page, 1, 1, "2");
    await page.getByText("in.csv is in the spreadsheet.", { exact: true }).waitFor();
    const full = await take(page, "XLSX");
    await give(page, "kept.csv", "no\n");
    await page.getByRole("dialog", { name: /Replace everything/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    await press(page, "Escape");
    const refused: readonly (readonly [string, string | Buffer, string])[] = [
      ["zero.csv", "", "zero.csv is empty"],
      ["blank.csv", ',,\r\n"",\r\n', "blank.csv is empty"],
      ["zero.xlsx", "", "zero.xlsx is empty"],
      ["blank.xlsx", empty, "blank.xlsx is empty"],
      ["text.xlsx", "no archive", "text.xlsx is no spreadsheet file that can be read"],
      ["cut.xlsx", full.subarray(0, full.length - 60), "cut.xlsx is no spreadsheet file that can be read"],
    ];
    for (const [name, content, message] of refused) {
      await give(page, name, content);
      await page.getByText(message).waitFor();
    }
    assert.equal(await page.getByRole("dialog").count(), 0);
    await bodyIs(client, id, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    await cell(page, 0, 0).click();
    await page.keyboard.type("A");
    await press(page, "Enter");
    await give(page, "full.xlsx", full);
    await page.getByRole("button", { name: "Replace it" }).click();
    await shows(page, 0, 0, "a");
  });

  test("SHEET18 undo behind a file says that Versions has what was there, and undoes what is written afterwards", async () => {
    const { ada, client, id } = await make(BUDGET);
    const page = await open(id, ada);
    await cell(page, 0, 0).click();
    await page.keyboard.type("Before");
    await press(page, "Enter");
    await shows(page, 0, 0, "Before");
    await page.locator('[data-editor-part="status"], [data-grid-part="status"]', { hasText: /^Saved$/ }).waitFor();
    await give(page, "in.csv", "a,b\n1,2\n");
    await page.getByRole("button", { name: "Replace it" }).click();
    await shows(page, 1, 1, "2");
    await page.getByText("What was there before is under Versions.").waitFor();
    await cell(page, 1, 1).click();
    await page.keyboard.type("3");
    await press(page, "Enter");
    await shows(page, 1, 1, "3");
    await press(page, "Control+z");
    await shows(page, 1, 1, "2");
    await press(page, "Control+z");
    await page.getByText("Undo cannot go back before the import.").waitFor();
    await bodyIs(client, id, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
  });

  test("SHEET18 who may only read takes files out and is not asked for any", async () => {
    const { ada, id } = await make(BUDGET);
    const rita = await makeAccount(stage, { name: "Rita", workspace: ada.workspaceId, role: "viewer" });
    const page = await signedInAs(stage, rita);
    await page.goto(`/documents/${id}/edit`);
    await page.locator("[data-live-grid][data-grid-ready]").waitFor();
    assert.match((await take(page, "CSV")).toString("utf8"), /^Item,Price/);
    assert.equal(await page.locator("input[type=file]").count(), 0);
    assert.equal(await page.getByText("Import", { exact: true }).count(), 0);
  });

  test("SHEET13 5,000 rows are a window of few; the last one is a key away, and narrow screens show it too", async (t) => {
    const rows = Array.from({ length: 5000 }, (_, i) => `| Row ${i + 1} | ${i} | =B${i + 2}*2 | x |`);
    const { ada, client, id } = await make(`| Name | N | Twice | T |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`);
    const page = await open(id, ada, { viewport: { width: 400, height: 800 } });
    assert.ok((await page.locator(".grid-row").count()) < 100);
    await cell(page, 0, 0).click();
    await press(page, "Control+End");
    await shows(page, 5000, 0, "Row 5000");
    const spare = await page.evaluate(`(() => {
      const number = document.querySelector('.grid-number[data-row="5000"]');
      return number.clientWidth - number.scrollWidth;
    })()`);
    assert.equal(spare, 0, "the number of the row is not cut");
    await press(page, "ArrowLeft");
    await shows(page, 5000, 2, "9998");
    await press(page, "ArrowLeft");
    await page.keyboard.type("7");
    const began = performance.now();
    await press(page, "Enter");
    await shows(page, 5000, 2, "14");
    t.diagnostic(`a cell of 5,000 rows is shown after ${Math.round(performance.now() - began)} ms`);
    await saved(page);
    t.diagnostic(`and saved after ${Math.round(performance.now() - began)} ms`);
    const last = (await client.get(`/documents/${id}/spreadsheet?range=A5001:D5001`)).data.sheets[0];
    assert.deepEqual(last.values, [["Row 5000", "7", "14", "x"]]);
    const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    assert.ok(Number(wide) <= 0, `${wide}`);
    assert.deepEqual(await violations(page), []);
  });

  if (SHOTS)
    test("screenshots", async () => {
      const { ada, id } = await make(BUDGET);
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [1280, 400]) {
          const page = await open(id, ada, { viewport: { width, height: 800 }, colorScheme });
          await cell(page, 1, 1).click();
          await cell(page, 2, 3).click({ modifiers: ["Shift"] });
          await page.screenshot({ path: `${SHOTS}/grid-${width}-${colorScheme}.png` });
        }
    });
});
