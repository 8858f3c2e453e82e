import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertStatus, type Client } from "../../server/test/support/client.ts";
import { inBrowser, type Stage } from "./browser.ts";
import { sharePanel } from "./document-page.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedIn, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

/** One green pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const suite = (stage: Stage) => {
  let account: Account;
  let program: Client;
  let library: Library;
  let page: Page;

  before(async () => {
    account = await makeAccount(stage);
    program = await programOf(stage, account);
    library = await fillLibrary(program);
    page = await signedInAs(stage, account);
  });

  test("WEB31 a share link is turned on, opens for anybody without scripts, and is turned off", async () => {
    await page.goto(`/documents/${library.welcome.id}`);
    await sharePanel(page);
    await page.getByText("Share…", { exact: true }).click();
    await page.getByRole("button", { name: "Create public link" }).click();
    await page.getByText("The public link is ready.").waitFor();
    assert.deepEqual(await violations(page), []);
    const link = (await page.getByRole("textbox", { name: "Link" }).textContent()) ?? "";
    const anybody = await stage.visitor({ javaScriptEnabled: false });
    await anybody.goto(link);
    await anybody.getByRole("heading", { name: "How we work together" }).waitFor();
    await page.getByText("Turn off", { exact: true }).click();
    await page.getByRole("button", { name: "Remove public link" }).click();
    await page.getByText("The public link is removed").waitFor();
    assert.equal((await anybody.goto(link))?.status(), 404);
  });

  test("WEB31 the new link is in view, and one with a password is not said to be for anyone", async () => {
    await page.goto(`/documents/${library.other.id}`);
    await sharePanel(page);
    await page.getByText("Share…", { exact: true }).click();
    await page.getByLabel("Password").fill("between us");
    await page.getByRole("button", { name: "Create public link" }).click();
    await page.getByText("Anyone who has it and its password can read this.").waitFor();
    await page.waitForURL(/#share$/);
    const box = await page.getByRole("textbox", { name: "Link" }).boundingBox();
    assert.ok(box && box.y > 0 && box.y + box.height <= page.viewportSize()!.height, JSON.stringify(box));
  });

  test("WEB31 on the page of a folder the form opens where its button stands", async () => {
    await page.goto(`/folders/${library.folder.id}`);
    const button = page.getByText("Share…", { exact: true });
    await button.click();
    const [from, box] = [await button.boundingBox(), await page.locator("#share .confirm-box").boundingBox()];
    assert.ok(from && box && Math.abs(from.x - box.x) < 2 && box.y >= from.y + from.height, JSON.stringify(box));
  });

  test("WEB31 a viewer is not offered it", async () => {
    const { page: viewer } = await signedIn(stage, { workspace: account.workspaceId, role: "viewer", name: "Vera" });
    await viewer.goto(`/documents/${library.welcome.id}`);
    await viewer.getByRole("heading", { name: "How we work together" }).waitFor();
    assert.equal(await viewer.getByRole("button", { name: "Share" }).count(), 0);
  });

  test("WEB32 pictures of a document are shown to members, and to nobody else", async () => {
    const form = new FormData();
    form.set("document_id", library.other.id);
    form.set("file", new Blob([PIXEL], { type: "image/png" }), "pixel.png");
    const { data } = assertStatus(await program.post("/attachments", form), 201);
    const nodes = [{ type: "image", attrs: { attachmentId: data.id, alt: "A pixel" } }];
    const body = { position: { document_end: true }, nodes };
    assertStatus(await program.post(`/documents/${library.other.id}/blocks`, body), 201);
    await page.goto(`/documents/${library.other.id}`);
    const picture = page.getByRole("img", { name: "A pixel" });
    await picture.waitFor();
    assert.equal(await page.evaluate("document.querySelector('.prose img').naturalWidth"), 1);
    const { page: stranger } = await signedIn(stage, { name: "Eve" });
    assert.equal((await stranger.goto(`/files/${data.id}`))?.status(), 404);
    const anybody = await stage.visitor();
    await anybody.goto(`/files/${data.id}`);
    assert.equal(new URL(anybody.url()).pathname, "/sign-in");
  });
};

inBrowser("sharing and files", suite);
