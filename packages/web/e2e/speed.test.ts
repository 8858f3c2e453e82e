import assert from "node:assert/strict";
import { before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { defined } from "@svc/document/defined";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeComment, makeDocument, makeSuggestion } from "../../server/test/support/fixtures.ts";
import { assets } from "../src/server/assets.ts";
import { inBrowser } from "./browser.ts";
import { SURFACE } from "./editor-page.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

const KB = 1024;
const LINES = Array.from({ length: 60 }, (_, at) => `Line ${at} has words enough to be clicked on.`);

/** Collects the shifts of the layout that nobody caused by a key or a press. */
const WATCH = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }).observe({ type: "layout-shift", buffered: true });
`;

inBrowser("what a page costs", (stage) => {
  let page: Page;
  let client: Client;
  let id: string;

  before(async () => {
    const ada = await makeAccount(stage);
    client = await programOf(stage, ada);
    page = await signedInAs(stage, ada);
    await page.context().addInitScript(WATCH);
    id = (await makeDocument(client, { title: "Costs", text: `# One\n\n${LINES.join("\n\n")}\n` })).id;
  });

  test("WEB153 all scripts that reading and writing a page load stay small", async () => {
    const loaded = new Set<string>();
    page.on("request", (request) => {
      const name = /\/assets\/\w+\/(.+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
      if (name) loaded.add(name);
    });
    await page.goto(`/documents/${id}`);
    await page.getByText("Line 3 has").click();
    await page.locator(`${SURFACE}:focus`).waitFor();
    await page.keyboard.type("Typed. ");
    await page.locator("[data-editor-ready]").waitFor();
    assert.ok(loaded.has("islands/editor.js"), "the editor is among them");
    const bytes = [...loaded].reduce((sum, name) => sum + gzipSync(defined(assets.get(name)).bytes).length, 0);
    assert.ok(bytes <= 320 * KB, `${bytes} bytes of ${[...loaded]}`);
    const largest = Math.max(...[...loaded].map((name) => gzipSync(defined(assets.get(name)).bytes).length));
    assert.ok(largest <= 250_000, `${largest} bytes`);
  });

  for (const width of [1280, 390])
    test(`WEB97 nothing moves by itself on a page with comments and suggestions, also while it becomes editable, at ${width} pixels`, async () => {
      const blocks = (await client.get(`/documents/${id}/blocks?limit=10`)).data;
      await makeComment(client, {
        document_id: id,
        text: "Really?",
        anchor: { block_id: blocks[2].id, quote: "Line 1" },
      });
      await makeSuggestion(client, { document_id: id });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/documents/${id}`);
      await page.locator("html[data-discussion-ready]").waitFor({ state: "attached" });
      await page.getByText("Line 4 has").click();
      await page.locator(`${SURFACE}:focus`).waitFor();
      await page.locator("[data-editor-ready]").waitFor();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      assert.deepEqual(await page.evaluate("window.shifts"), []);
    });

  for (const [width, most] of [
    [1280, 150],
    [390, 220],
  ] as const)
    test(`WEB112 the first line begins within ${most} pixels at ${width}`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/documents/${id}`);
      const top = (await page.getByRole("heading", { name: "One", exact: true }).boundingBox())?.y ?? Infinity;
      assert.ok(top <= most, `${top} pixels`);
    });
});
