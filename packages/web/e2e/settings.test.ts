import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import { makeDocument, markdown, zipOf } from "../../server/test/support/fixtures.ts";
import { png } from "../../server/test/support/png.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

inBrowser("settings, import and history", (stage) => {
  let page: Page;
  let program: Client;
  let library: Library;

  before(async () => {
    const account = await makeAccount(stage);
    program = await programOf(stage, account);
    library = await fillLibrary(program);
    page = await signedInAs(stage, account);
  });

  test("WEB46 theme, time zone and form of dates are kept", async () => {
    await page.goto("/settings");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("Dark").check();
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await page.getByLabel("2026-11-16").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Settings saved.").waitFor();
    assert.equal(await page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark");
    await page.goto(`/documents/${library.welcome.id}`);
    const { updated_at } = (await program.get(`/documents/${library.welcome.id}`)).data;
    const tokyo = new Date(updated_at + 9 * 60 * 60 * 1000).toISOString().slice(0, 16).replace("T", " ");
    assert.equal(await page.locator(".row-facts time").first().getAttribute("title"), tokyo);
    assert.deepEqual(await violations(page), []);
  });

  test("WEB69 a chosen picture is shown in the sidebar, beside comments and to the members", async () => {
    await page.goto("/settings");
    const own = page.locator("#side img.avatar");
    assert.equal(await own.count(), 0);
    await page
      .getByLabel("Choose a picture")
      .setInputFiles({ name: "a.txt", mimeType: "image/png", buffer: Buffer.from("no") });
    await page.getByText("The browser cannot read this picture.").waitFor();
    const file = { name: "me.png", mimeType: "image/png", buffer: png(640, 400) };
    await page.getByLabel("Choose a picture").setInputFiles(file);
    await page.getByText("Your picture is updated.").waitFor();
    await ready(page);
    const width = 'document.querySelector("#side img.avatar")?.naturalWidth';
    await until("it is there", async () => (await page.evaluate(width)) === 256);
    assert.deepEqual(await violations(page), []);
    await page.goto(`/documents/${library.other.id}`);
    await page.getByRole("complementary").getByText("Comment", { exact: true }).click();
    await page.getByLabel("Your comment").fill("With a face.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".comment-head img.avatar").waitFor();
    await page.goto("/members");
    assert.equal(await page.locator("main img.avatar").count(), 1);
    await page.goto("/settings");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Your picture has been removed.").waitFor();
    assert.equal(await own.count(), 0);
  });

  test("WEB47 an archive is exported, and imported again with a report", async () => {
    await page.goto(`/knowledge-bases/${library.base.id}`);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export this knowledge base" }).click();
    const path = await (await saved).path();
    await page.goto("/import");
    assert.deepEqual(await violations(page), []);
    await page.getByLabel("File").setInputFiles(path);
    await page.getByLabel("Name of the knowledge base").fill("Handbook again");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("Imported 3 pages, 1 folder, 0 files.").waitFor();
    await page.getByRole("treeitem", { name: "Handbook again" }).waitFor();
    const bases = page.locator("[role=treeitem][aria-level='1']");
    assert.deepEqual((await bases.allInnerTexts()).slice(0, 2), ["Handbook", "Handbook again"]);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Open knowledge base" }).click();
    await page.getByRole("heading", { name: "Handbook again" }).waitFor();
  });

  test("WEB47 what an import could not carry over is folded, below the way to what came", async () => {
    const archive = await zipOf({ "a.md": `[gone](${"very-".repeat(20)}long.md)\n`, "b.md": "here\n" });
    await page.setViewportSize({ width: 400, height: 800 });
    await page.goto("/import");
    await page.getByLabel("File").setInputFiles({ name: "a.zip", mimeType: "application/zip", buffer: archive });
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("link", { name: "Open knowledge base" }).waitFor();
    assert.equal(await page.getByText("there is no such file").isVisible(), false);
    await page.getByText("Warnings").click();
    await page.getByText("there is no such file").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 400, "nothing is cut off");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("WEB47 a bar and a count show how far an import is", async () => {
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${i}.md`, `# Page ${i}\n\ntext\n`]));
    await page.goto("/import");
    await page
      .getByLabel("File")
      .setInputFiles({ name: "b.zip", mimeType: "application/zip", buffer: await zipOf(files) });
    await page.evaluate(`{
      const state = document.querySelector("[data-import-state]");
      window.shown = [];
      new MutationObserver(() => {
        const [text, bar] = [state.querySelector("p")?.textContent, state.querySelector("progress")];
        if (bar) window.shown.push([text, bar.hasAttribute("value") ? bar.value : null, bar.getAttribute("aria-label")]);
      }).observe(state, { childList: true, subtree: true, characterData: true, attributes: true });
    }`);
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("Imported 120 pages").waitFor();
    const shown = await page.evaluate<[string, number | null, string][]>("window.shown");
    const counts = shown.filter(([text]) => text.endsWith(" of 120 pages"));
    assert.equal(shown[0]?.[0], "Uploading…");
    assert.ok(shown.every(([, , label]) => label === "Progress"));
    assert.deepEqual(counts.at(-1)?.slice(0, 2), ["120 of 120 pages", 1]);
    const values = counts.map(([, value]) => value ?? 0).slice(1);
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
      "the bar never goes back",
    );
    assert.equal(await page.getByRole("progressbar").count(), 0, "the report replaces the bar");
  });

  test("WEB23 two versions are compared, and a restore after a change by somebody else shows the difference anew", async () => {
    const { id } = await makeDocument(program, {
      title: "Plan",
      knowledge_base_id: library.base.id,
      text: "One.\n\nTwo.\n",
    });
    const write = (text: string) => program.put(`/documents/${id}/content?ids=match`, markdown(text), { ifMatch: "*" });
    await write("One.\n\nTwo and more.\n");
    await write("One.\n\nTwo and much more.\n");
    await page.goto(`/documents/${id}/versions/1?to=2`);
    await page.getByRole("heading", { name: "Version 1 → version 2" }).waitFor();
    await page.locator("ins", { hasText: "and more" }).waitFor();
    await page.locator(".difference-around", { hasText: "One." }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto(`/documents/${id}/versions/1/text`);
    await write("One.\n\nTwo and very much more.\n");
    await page.getByText("Restore version 1", { exact: true }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("Somebody changed this page after you opened this version.").waitFor();
    await page.getByText("Restore version 1", { exact: true }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("The version is restored.").waitFor();
    await page.locator(".prose", { hasText: /^\s*One\.\s*Two\.\s*$/ }).waitFor();
  });

  test("WEB48 a page of 10,000 blocks can be read at once, and a link leads to its last block", async () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `Paragraph ${index}.`).join("\n\n");
    const { id } = await makeDocument(program, { title: "Long", knowledge_base_id: library.base.id, text });
    const { data } = await program.get(`/documents/${id}/content`);
    const last = data.document.content.at(-1).attrs.id;
    await page.goto(`/documents/${id}`);
    const isLaidOut = `document.getElementById("${last}").checkVisibility({ contentVisibilityAuto: true })`;
    assert.equal(await page.evaluate(isLaidOut), false);
    assert.equal(await page.evaluate('window.find("Paragraph 9998.")'), true);
    await until("what was found is shown", async () => (await page.evaluate(isLaidOut)) === true);
    await page.goto(`/documents/${id}?block=${last}#${last}`);
    const target = page.locator(".block-target");
    await target.getByText("Paragraph 9999.").waitFor();
    const top = '(() => document.querySelector(".block-target").getBoundingClientRect().top)()';
    await until("it is in the window", async () => {
      const at = Number(await page.evaluate(top));
      return at >= 0 && at < 720;
    });
  });
});
