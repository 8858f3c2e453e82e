import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, markdown } from "../../server/test/support/fixtures.ts";
import { inBrowser, ready, stopClock } from "./browser.ts";
import { chooseMode, modeChoices } from "./document-page.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const TEXT = "# Meeting\n\nWe meet every Friday at nine.\n\nBring coffee.\n";

inBrowser("suggesting in the editor", (stage) => {
  let ada: Account;
  let program: Client;

  before(async () => {
    ada = await makeAccount(stage, { name: "Ada Lovelace" });
    program = await programOf(stage, ada);
  });

  const member = async (role: "editor" | "viewer"): Promise<Page> => {
    const account = await makeAccount(stage, { name: `Some ${role}`, workspace: ada.workspaceId, role });
    return signedInAs(stage, account);
  };

  const writes = (page: Page) => page.locator("[data-live-editor][data-editor-ready]").waitFor();
  const changes = (page: Page, count: number) => page.locator(`[data-changes="${count}"]`).waitFor();
  const text = (page: Page) => page.locator(".ProseMirror");
  const content = async (id: string) => (await program.get(`/documents/${id}/content?format=markdown`)).text;

  /** Puts the caret behind a word of the text. */
  async function caretAfter(page: Page, word: string): Promise<void> {
    await text(page).focus();
    await page.evaluate(`{
      const walker = document.createTreeWalker(document.querySelector(".ProseMirror"), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(${JSON.stringify(word)});
        if (at >= 0) getSelection().collapse(node, at + ${word.length});
      }
    }`);
  }

  /** Replaces a word with another. */
  async function retype(page: Page, old: string, word: string): Promise<void> {
    await caretAfter(page, old);
    for (const _ of old) await page.keyboard.press("Backspace");
    await page.keyboard.type(word);
  }

  test("WEB65 who may not write suggests in the editor: changes are marked, kept over a reload, and sent with a note", async () => {
    const { id } = await makeDocument(program, { title: "Habits", text: TEXT });
    const page = await member("viewer");
    await page.goto(`/documents/${id}`);
    const choices = await modeChoices(page);
    assert.equal(await choices.filter({ hasText: "Editing" }).count(), 0);
    await choices.filter({ hasText: "Suggesting" }).click();
    await writes(page);
    assert.ok(await page.getByRole("button", { name: "Send suggestion" }).isDisabled());
    assert.equal(await page.getByRole("button", { name: "Page settings" }).count(), 0);
    await retype(page, "Friday", "Monday");
    await changes(page, 1);
    assert.deepEqual(
      [await text(page).locator("ins").innerText(), await text(page).locator("del").innerText()],
      ["Monday", "Friday"],
    );
    await page.getByLabel("Note").fill("New habits");
    assert.deepEqual(await violations(page), []);
    assert.match(await content(id), /every Friday/);
    await changes(page, 1);
    await page.waitForFunction(`new Promise((resolve) => {
      const open = indexedDB.open("svc-editor", 1);
      open.onsuccess = () => {
        const all = open.result.transaction("journals").objectStore("journals").getAll();
        all.onsuccess = () => resolve(JSON.stringify(all.result).includes("New habits"));
      };
    })`);
    await page.reload();
    await writes(page);
    await changes(page, 1);
    assert.equal(await page.getByLabel("Note").inputValue(), "New habits");
    await page.getByRole("button", { name: "Send suggestion" }).click();
    await page.locator(".suggested ins", { hasText: "Monday" }).waitFor();
    const [suggestion] = (await program.get(`/documents/${id}/suggestions`)).data;
    assert.deepEqual([suggestion.note, suggestion.changes.length, suggestion.status], ["New habits", 1, "open"]);
    assert.match(await content(id), /every Friday/);
    await page.goto(`/documents/${id}/suggest`);
    await writes(page);
    await changes(page, 0);
  });

  test("WEB65 who may write switches between both modes; cancelling asks before it throws work away", async () => {
    const { id } = await makeDocument(program, { title: "Modes", text: TEXT });
    const page = await member("editor");
    await stopClock(page);
    await page.goto(`/documents/${id}/edit`);
    await writes(page);
    await chooseMode(page, "Suggesting");
    await ready(page);
    await writes(page);
    await caretAfter(page, "coffee.");
    await page.keyboard.press("Enter");
    await page.keyboard.type("And cake.");
    await changes(page, 1);
    await page.locator(".change-new", { hasText: "And cake." }).waitFor();
    await page.keyboard.press("Control+z");
    await changes(page, 0);
    await page.keyboard.press("Control+Shift+z");
    await changes(page, 1);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Keep writing" }).click();
    assert.ok(await page.locator(".change-new", { hasText: "And cake." }).isVisible());
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(`**/documents/${id}`);
    assert.deepEqual((await program.get(`/documents/${id}/suggestions`)).data, []);
    assert.doesNotMatch(await content(id), /cake/);
    await page.goto(`/documents/${id}/suggest`);
    await writes(page);
    await changes(page, 0);
  });

  test("WEB65 a suggestion whose text is no longer kept is put on the newest text before it is sent", async () => {
    const { id } = await makeDocument(program, { title: "Moving on", text: TEXT });
    const page = await member("viewer");
    await page.goto(`/documents/${id}/suggest`);
    await writes(page);
    await retype(page, "coffee", "tea");
    await changes(page, 1);
    const path = `/documents/${id}/content?ids=match`;
    await program.put(path, markdown(TEXT.replace("nine", "ten")), { ifMatch: "*" });
    const database = stage.world.app.services.database;
    await database.transaction((tx) => tx.deleteFrom("snapshots").where("document_id", "=", id).execute());
    await page.getByRole("button", { name: "Send suggestion" }).click();
    await page.getByText("The page has changed.").waitFor();
    await text(page).getByText("at ten").waitFor();
    await changes(page, 1);
    await page.getByRole("button", { name: "Send suggestion" }).click();
    await page.locator(".suggested ins", { hasText: "tea" }).waitFor();
    const [suggestion] = (await program.get(`/documents/${id}/suggestions`)).data;
    assert.equal(suggestion.changes.length, 1);
  });

  test("WEB66 @ in the text mentions somebody who may see the page", async () => {
    const bob = await makeAccount(stage, { name: "Bob Dole", workspace: ada.workspaceId, role: "editor" });
    const { id } = await makeDocument(program, { title: "Asking", text: "Ask\n" });
    const page = await signedInAs(stage, ada);
    await page.goto(`/documents/${id}/edit`);
    await writes(page);
    await caretAfter(page, "Ask");
    await page.keyboard.type(" @bob");
    await page.getByRole("option", { name: "Bob Dole" }).waitFor();
    await page.keyboard.press("Enter");
    await text(page).locator('[data-type="mention"]').waitFor();
    await page.getByText("Saved", { exact: true }).waitFor();
    const live = await program.get(`/documents/${id}/content?format=markdown&live=true`);
    assert.match(live.text, new RegExp(`^Ask \\[@Bob Dole\\]\\(svc://user/${bob.userId}\\)`));
  });
});
