import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Page } from "playwright-core";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { programOf, signedIn } from "./people.ts";
import { violations } from "./violations.ts";

/** A header, and two hundred rows below it. */
const SHEET = `| Name | Twice |\n| --- | --- |\n${Array.from({ length: 200 }, (_, i) => `| row ${i + 2} | =${i + 2}*2 |\n`).join("")}`;

inBrowser("what the grid shows", (stage) => {
  async function open(): Promise<Page> {
    const { page, account } = await signedIn(stage);
    const client = await programOf(stage, account);
    const { id } = await makeDocument(client, { title: "Long", document_type: "spreadsheet", text: SHEET });
    await page.goto(`/documents/${id}/edit`);
    await page.locator("[data-live-grid][data-grid-ready]").waitFor();
    return page;
  }
  const cell = (page: Page, row: number, column: number) =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  /** Scrolling draws the rows anew, so it is asked for in one step. */
  const topOf = (page: Page, row: number) =>
    page.evaluate<number>(`document.querySelector('.grid-cell[data-row="${row}"]').getBoundingClientRect().top`);
  const isBelowHeader = (page: Page, row: number) =>
    until(`row ${row} stands below the header`, async () => (await topOf(page, row)) - (await topOf(page, 0)) === 28);

  test("SHEET10 the header stays in sight, covers no selected cell, and is written in where it stands", async () => {
    const page = await open();
    const top = await topOf(page, 0);
    await cell(page, 1, 0).click();
    for (let i = 0; i < 8; i++) await page.keyboard.press("PageDown");
    await cell(page, 121, 0).and(page.locator(".is-active")).waitFor();
    assert.equal(await topOf(page, 0), top);
    for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowUp");
    await isBelowHeader(page, 81);
    await cell(page, 0, 0).dblclick();
    await page.locator("textarea.grid-field").fill("Title");
    const field = defined(await page.locator("textarea.grid-field").boundingBox());
    assert.ok(Math.abs(field.y - top) <= 2, `${field.y} is not at ${top}`);
    await page.keyboard.press("Enter");
    await cell(page, 0, 0).getByText("Title").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Control+Home");
    await isBelowHeader(page, 1);
    assert.deepEqual(await violations(page), []);
  });

  test("SHEET10 Ctrl+F finds in all rows, drawn or not, by what cells show and by their formulas", async () => {
    const page = await open();
    await cell(page, 0, 0).click();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("ROW 15");
    const isAt = (name: string, told: string) =>
      Promise.all([
        page.locator('[data-grid-part="cell-name"]', { hasText: new RegExp(`^${name}$`) }).waitFor(),
        page.locator('[data-grid-part="found"]', { hasText: told }).waitFor(),
      ]);
    await page.keyboard.press("Enter");
    await isAt("A15", "1 of 11");
    await page.keyboard.press("Enter");
    await isAt("A150", "2 of 11");
    await cell(page, 149, 0).and(page.locator(".is-active")).waitFor();
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Shift+Enter");
    await isAt("A159", "11 of 11");
    await page.getByLabel("Find").fill("=77*2");
    await page.keyboard.press("Enter");
    await isAt("B77", "1 of 1");
    await page.getByLabel("Find").fill("nowhere");
    await page.keyboard.press("Enter");
    await isAt("B77", "Not found");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await isAt("B78", "");
    assert.deepEqual(await violations(page), []);
  });

  test("SHEET19 what is found is replaced, one cell after the other or all of them as one step", async () => {
    const page = await open();
    const told = (text: string) => page.locator('[data-grid-part="found"]', { hasText: text }).waitFor();
    await cell(page, 0, 0).click();
    await page.keyboard.press("Control+f");
    await page.keyboard.type("ROW 15");
    await page.getByLabel("Replace with").fill("$& (old)");
    await page.keyboard.press("Enter");
    await told("1 of 11");
    await page.keyboard.press("Enter");
    await told("1 of 10");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Home");
    await cell(page, 14, 0).getByText("$& (old)", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Replace all" }).click();
    await told("Replaced in 10 cells");
    await page.getByLabel("Find").fill("(old)9");
    await page.keyboard.press("Enter");
    await told("1 of 1");
    await cell(page, 158, 0).getByText("$& (old)9", { exact: true }).waitFor();
    await page.getByLabel("Find").fill("=77*2");
    await page.getByLabel("Replace with").fill("=77*3");
    await page.getByRole("button", { name: "Replace all" }).click();
    await told("Replaced in 1 cell");
    await page.locator(".grid").focus();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Home");
    await cell(page, 14, 0).getByText("$& (old)", { exact: true }).waitFor();
    await page.keyboard.press("Control+z");
    await cell(page, 14, 0)
      .getByText(/^row 15$/i)
      .waitFor();
    assert.deepEqual(await violations(page), []);
    if (process.env.SVC_TEST_SHOTS)
      for (const width of [400, 1280]) {
        await page.setViewportSize({ width, height: 720 });
        await page.screenshot({ path: `${process.env.SVC_TEST_SHOTS}/grid-replace-${width}.png` });
      }
  });
});
