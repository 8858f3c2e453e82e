import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import type { Page } from "playwright-core";
import { png } from "../../server/test/support/attachments.ts";
import { textsOf } from "../../server/test/support/bodies.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { programOf, signedIn } from "./people.ts";

const surface = ".ProseMirror";
const status = (page: Page, text: RegExp) => page.locator('[data-editor-part="status"]', { hasText: text }).waitFor();

/** Features that browsers disable without TLS. */
const INSECURE = "delete Navigator.prototype.locks; delete Crypto.prototype.randomUUID;";

inBrowser("several tabs of one person", (stage) => {
  async function start(isSecure: boolean) {
    const { page, account } = await signedIn(stage);
    const context = page.context();
    if (!isSecure) await context.addInitScript(INSECURE);
    const client = await programOf(stage, account);
    const { id } = await makeDocument(client, { title: "Tabs", text: "One.\n\nTwo.\n\nThree.\n" });
    const openTab = async () => {
      const tab = await context.newPage();
      await tab.goto(`/documents/${id}/edit`);
      await status(tab, /^Saved$/);
      return tab;
    };
    const isBody = (...texts: readonly string[]) =>
      until(`the body is ${texts}`, async () => (await textsOf(client, id)).join() === texts.join());
    return { id, client, context, openTab, isBody };
  }

  async function type(tab: Page, line: string, text: string): Promise<void> {
    await tab.locator(`${surface} > *`, { hasText: line }).click();
    await tab.keyboard.press("End");
    await tab.keyboard.type(text);
  }

  /** One tab alone loses its network; what is answered brings it back. */
  async function loseNetwork(tab: Page): Promise<() => Promise<unknown>> {
    const cdp = await tab.context().newCDPSession(tab);
    const speed = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    const set = (offline: boolean) => cdp.send("Network.emulateNetworkConditions", { offline, ...speed });
    await cdp.send("Network.enable");
    await set(true);
    await stage.world.app.services.live.dropSockets();
    await status(tab, /Offline/);
    return () => set(false);
  }

  /** How many tabs' words the device keeps. */
  const kept = (tab: Page) =>
    tab.evaluate<number>(`new Promise((resolve) => {
      const open = indexedDB.open("svc-editor", 1);
      open.onsuccess = () => {
        const all = open.result.transaction("journals").objectStore("journals").count();
        all.onsuccess = () => resolve(all.result);
      };
    })`);

  for (const isSecure of [true, false]) {
    const where = isSecure ? "" : " without TLS";

    test(`LIVE19 a tab that is offline keeps its words to itself while another tab opens and writes${where}`, async () => {
      const { openTab, isBody } = await start(isSecure);
      const first = await openTab();
      const findNetwork = await loseNetwork(first);
      await type(first, "One.", " offline");
      await until("the device keeps it", async () => (await kept(first)) === 1);
      const second = await openTab();
      await type(second, "Two.", " by the second");
      await status(second, /^Saved$/);
      await isBody("One.", "Two. by the second", "Three.");
      await type(first, "Three.", " offline too");
      await findNetwork();
      await isBody("One. offline", "Two. by the second", "Three. offline too");
      await type(first, "One. offline", "!");
      await type(second, "Two. by", "?");
      await isBody("One. offline!", "Two. by the second?", "Three. offline too");
      for (const tab of [first, second]) {
        await status(tab, /^Saved$/);
        const shown = tab.locator(surface);
        for (const text of ["offline!", "second?", "offline too"]) await shown.getByText(text).waitFor();
      }
      await until("nothing is kept any more", async () => (await kept(first)) === 0);
    });

    test(`LIVE19 what several tabs had when they were closed offline is all there in the next one${where}`, async () => {
      const { context, openTab, isBody } = await start(isSecure);
      const tabs = [await openTab(), await openTab()];
      await context.setOffline(true);
      await stage.world.app.services.live.dropSockets();
      for (const [i, tab] of tabs.entries()) {
        await status(tab, /Offline/);
        await type(tab, defined(["One.", "Two."][i]), ` of ${i}`);
      }
      await until("the device keeps both", async () => (await kept(defined(tabs[0]))) === 2);
      for (const tab of tabs) await tab.close();
      await context.setOffline(false);
      const next = await openTab();
      await isBody("One. of 0", "Two. of 1", "Three.");
      await next.locator(surface).getByText("Two. of 1").waitFor();
      await until("nothing is kept any more", async () => (await kept(next)) === 0);
    });
  }

  test("EDIT7 a picture is uploaded on a page without TLS, too", async () => {
    const { id, client, openTab } = await start(false);
    const tab = await openTab();
    await type(tab, "Three.", " /Picture");
    const chooser = tab.waitForEvent("filechooser");
    await tab.getByRole("option", { name: "Image or file" }).click();
    await (await chooser).setFiles([{ name: "a.png", mimeType: "image/png", buffer: png }]);
    await until("it is there", async () => {
      const { content } = (await client.get(`/documents/${id}/content`)).data.document;
      return content.some(({ type }: { type: string }) => type === "image");
    });
    assert.equal(await tab.locator(`${surface} img`).count(), 1);
  });
});
