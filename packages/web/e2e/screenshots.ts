/** `npm run screenshots`: pictures of the main pages, for the README and for looking at, in docs/screenshots/. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { ensureIslands } from "../src/build.ts";
import { Stage } from "./browser.ts";
import { fillDemo } from "./demo.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

const folder = process.argv[2] ?? resolve(import.meta.dirname, "../../../docs/screenshots");
mkdirSync(folder, { recursive: true });

await ensureIslands();
const stage = new Stage({});
await stage.start();
try {
  const account = await makeAccount(stage, { name: "Ada Lovelace" });
  const demo = await fillDemo(await programOf(stage, account));
  const shots: readonly (readonly [name: string, path: string, prepare?: (page: Page) => Promise<void>])[] = [
    ["home", "/knowledge-bases"],
    ["folder", `/folders/${demo.folder}`],
    ["page", `/documents/${demo.document}`],
    ["palette", "/knowledge-bases", openPalette],
  ];
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 400]) {
      const page = await signedInAs(stage, account, {
        viewport: { width, height: width > 900 ? 800 : 820 },
        colorScheme,
      });
      for (const [name, path, prepare] of shots) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await prepare?.(page);
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      }
      await page.close();
    }
} finally {
  await stage.stop();
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("de");
  await page.getByRole("option").first().waitFor();
  await page.waitForLoadState("networkidle");
}
