import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { inBrowser } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

/** Collects every shift of the layout from the first paint on, with the elements that moved. */
const WATCH = `
  window.shifts = [];
  const place = ({ x, y }) => Math.round(x) + "," + Math.round(y);
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push(value.toFixed(4) + " " + sources.map(({ node, previousRect, currentRect }) =>
        (node?.nodeType === 3 ? "text in " + node.parentElement?.className : node?.tagName + "." + node?.className)
        + " " + place(previousRect) + " → " + place(currentRect)).join(" | "));
  }).observe({ type: "layout-shift", buffered: true });
`;

inBrowser("stillness", (stage) => {
  let page: Page;
  let library: Library;

  before(async () => {
    const account = await makeAccount(stage);
    library = await fillLibrary(await programOf(stage, account));
    page = await signedInAs(stage, account);
    await page.context().addInitScript(WATCH);
  });

  for (const width of [1280, 400])
    test(`WEB97 nothing on a page moves while it opens, at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const { welcome, folder, base } = library;
      const spreadsheet = page.locator(".item", { hasText: "Budget" });
      await page.goto(`/knowledge-bases/${base.id}`);
      const budget = await spreadsheet.getAttribute("href");
      const paths = [
        `/documents/${welcome.id}`,
        `/documents/${welcome.id}/edit`,
        `/documents/${welcome.id}/suggest`,
        `${budget}`,
        `${budget}/edit`,
        `/folders/${folder.id}`,
        `/knowledge-bases/${base.id}`,
        "/knowledge-bases",
        "/trash",
      ];
      const moved: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        if (/edit|suggest/.test(path)) await page.locator("[data-editor-ready], [data-grid-ready]").waitFor();
        // Two frames: what the scripts changed has been laid out and reported.
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        const shifts = await page.evaluate<string[]>("window.shifts");
        moved.push(...shifts.map((shift) => `${path}: ${shift}`));
      }
      assert.deepEqual(moved, []);
    });
});
