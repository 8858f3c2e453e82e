import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { png } from "../../server/test/support/attachments.ts";
import { markdown, upload } from "../../server/test/support/fixtures.ts";
import { type ProviderServer, providerServer } from "../../server/test/support/provider-server.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser } from "./browser.ts";
import { EditorPage, SURFACE } from "./editor-page.ts";
import { violations } from "./violations.ts";

const loopback = { SVC_WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.0/8" };

/** A tenth of a second of silence. */
const sound = Buffer.concat([
  Buffer.from(
    "RIFF\x44\x03\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x20\x03\0\0",
    "latin1",
  ),
  Buffer.alloc(800, 128),
]);

const startHost = () =>
  providerServer(({ path }) =>
    path.startsWith("/gone")
      ? { status: 404 }
      : (response) => void response.writeHead(200, { "content-type": "image/png" }).end(png),
  );

/** Waits until a property of an element, which browsers know after they have read its file, has this value. */
const becomes = (page: Page, selector: string, property: string, value: number) =>
  until(`${property} of ${selector} is ${value}`, () =>
    page.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)})?.${property} === ${value}`),
  );

const isDrawn = (page: Page, selector: string) => becomes(page, selector, "naturalWidth", 37);

/** Everything that the console of this page calls an error. */
function errorsOf({ page }: EditorPage): string[] {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return errors;
}

inBrowser(
  "pictures of other hosts",
  (stage) => {
    let at: EditorPage;
    let host: ProviderServer;
    let errors: string[];
    const address = (name: string) => `${new URL(host.url).origin}/${name}`;

    before(async () => {
      host = await startHost();
      at = await EditorPage.start(stage);
      errors = errorsOf(at);
    });
    after(() => host[Symbol.asyncDispose]());

    test("RPIC1 a page and the editor show a remote picture, and a lost one names its host, without an error", async () => {
      await at.openMarkdown(`![Here](${address("a.png")})\n\n![Lost](${address("gone.png")})\n`);
      await isDrawn(at.page, `${SURFACE} img[alt=Here]`);
      await at.page.goto(`/documents/${at.id}`);
      await isDrawn(at.page, ".prose img[alt=Here]");
      await becomes(at.page, ".prose img[alt=Lost]", "naturalHeight", 40);
      assert.deepEqual(errors, []);
    });

    test("RPIC1 a pasted remote picture is shown at once and keeps its address, also from a page that is read", async () => {
      await at.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await at.openMarkdown(`![Copied](${address("b.png")})\n`);
      await at.page.goto(`/documents/${at.id}`);
      await isDrawn(at.page, ".prose img[alt=Copied]");
      const shown = await at.page.locator(".prose img[alt=Copied]").getAttribute("src");
      await at.open([""]);
      await at.shown("> p").click();
      const html = `<p>Before</p><img alt="Copied" src="${stage.world.url}${shown}"><img alt="New" src="${address("c.png")}">`;
      await at.page.evaluate(
        `navigator.clipboard.write([new ClipboardItem({ "text/html": new Blob([${JSON.stringify(html)}], { type: "text/html" }) })])`,
      );
      await at.press("Control+v");
      await isDrawn(at.page, `${SURFACE} img[alt=Copied]`);
      await isDrawn(at.page, `${SURFACE} img[alt=New]`);
      await at.is(`Before\n\n![Copied](${address("b.png")})\n\n![New](${address("c.png")})`);
      assert.deepEqual(errors, []);
    });

    test("ATT16 sound that stands in the text as a picture is played where it is read and written", async () => {
      await at.open(["Text"]);
      const { url } = await upload(at.client, at.id, sound, "a.wav");
      await at.client.put(`/documents/${at.id}/content`, markdown(`![A talk](${url})\n`), { ifMatch: "*" });
      await at.reopen();
      await becomes(at.page, `${SURFACE} audio[controls]`, "duration", 0.1);
      assert.equal(await at.page.locator(`${SURFACE} img:visible`).count(), 0);
      await at.page.goto(`/documents/${at.id}`);
      await becomes(at.page, ".prose audio[controls]", "duration", 0.1);
      assert.deepEqual(await violations(at.page), []);
      assert.deepEqual(errors, []);
    });
  },
  loopback,
);

inBrowser(
  "pictures of other hosts that are off",
  (stage) => {
    test("RPIC8 a picture is loaded at the press of its button, where it is read and written", async () => {
      await using host = await startHost();
      const at = await EditorPage.start(stage);
      const errors = errorsOf(at);
      const { origin } = new URL(host.url);
      const name = `Load picture from ${new URL(origin).host}`;
      await at.openMarkdown(`![Here](${origin}/a.png)\n`);
      await at.page.locator(SURFACE).getByRole("button", { name, exact: true }).waitFor();
      await at.page.goto(`/documents/${at.id}`);
      const button = at.page.getByRole("button", { name: `${name}: Here`, exact: true });
      await button.waitFor();
      assert.deepEqual(await violations(at.page), []);
      assert.equal(host.seen.length, 0);
      await button.click();
      await isDrawn(at.page, ".prose img[alt=Here]");
      await at.reopen();
      await at.page.locator(SURFACE).getByRole("button", { name, exact: true }).click();
      await isDrawn(at.page, `${SURFACE} img[alt=Here]`);
      assert.deepEqual(errors, []);
    });
  },
  { ...loopback, SVC_REMOTE_PICTURES: "off" },
);
