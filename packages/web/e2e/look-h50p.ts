import { ensureIslands } from "../src/build.ts";
import { Stage } from "./browser.ts";
import { fillDemo } from "./demo.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

await ensureIslands();
const stage = new Stage({});
await stage.start();
const account = await makeAccount(stage, { name: "Ada Lovelace" });
const demo = await fillDemo(await programOf(stage, account));
for (const [w, scheme] of [
  [1280, "light"],
  [400, "dark"],
] as const) {
  const page = await signedInAs(stage, account, { viewport: { width: w, height: 800 }, colorScheme: scheme });
  await page.goto(`/documents/${demo.document}`);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `/tmp/h50p/base-${w}.png` });
  await page.getByText("many times a day").or(page.getByText("several times a day")).first().click();
  await page.locator("[data-editor-ready]").waitFor();
  await page.screenshot({ path: `/tmp/h50p/edit-${w}.png` });
  await page.goto(`/documents/${demo.document}/versions`);
  await page.screenshot({ path: `/tmp/h50p/hist-${w}.png` });
}
await stage.stop();
