import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../server/test/support/client.ts";
import {
  makeDocument,
  makeFolder,
  makeKnowledgeBase,
  makeSuggestion,
  markdown,
} from "../../server/test/support/fixtures.ts";
import { inBrowser, ready } from "./browser.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const AGENT = { headers: { "user-agent": "doc-robot-agent/1.0" } };

inBrowser("the desk", (stage) => {
  let ada: Account;
  let program: Client;
  let page: Page;

  before(async () => {
    ada = await makeAccount(stage, { name: "Ada Lovelace" });
    const bob = await makeAccount(stage, { name: "Bob Dole", workspace: ada.workspaceId, role: "editor" });
    program = await programOf(stage, ada);
    const robot = await programOf(stage, bob);
    const base = await makeKnowledgeBase(program, "Handbook");
    const folder = await makeFolder(program, { name: "Guides", knowledge_base_id: base.id });
    const text = "We meet at nine.\n";
    const { id } = await makeDocument(program, { title: "Rules", knowledge_base_id: base.id, text });
    await makeDocument(program, { title: "Map", knowledge_base_id: base.id, folder_id: folder.id });
    await robot.call("PUT", `/documents/${id}/content?ids=match`, markdown("We meet at ten.\n"), {
      ifMatch: "*",
      ...AGENT,
    });
    await makeSuggestion(robot, { document_id: id, operations: undefined, content: markdown("We meet at noon.\n") });
    await program.put(`/me/favourites/${id}`);
    page = await signedInAs(stage, ada);
  });

  test("WEB118 home shows what waits, what agents did, what changed and by whom, favourites and knowledge bases", async () => {
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto("/knowledge-bases");
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    assert.equal(await region("Waiting for you").locator("ins").innerText(), "noon");
    await region("Agents since yesterday").getByText("rewrote Rules").waitFor();
    await region("Recently changed")
      .getByRole("link", { name: /^Rules.*Handbook.*Bob Dole/s })
      .waitFor();
    await region("Favourites").getByRole("link", { name: "Rules" }).waitFor();
    await region("Knowledge bases")
      .getByRole("link", { name: /^Handbook.*2 pages/s })
      .waitFor();
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await violations(page), []);
      assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")) <= 0);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.deepEqual(problems, []);
  });

  test("WEB118 a suggestion on the desk is decided with keys, and the decision is undone there", async () => {
    await page.goto("/knowledge-bases");
    await page.locator("html[data-review-ready]").waitFor({ state: "attached" });
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByText("Suggestion accepted.").waitFor();
    assert.equal(await page.getByRole("region", { name: "Waiting for you" }).locator("ins").count(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/suggestion is (?:back|open again)/).waitFor();
    await page.waitForURL(/\/knowledge-bases$/);
    assert.equal(await page.getByRole("region", { name: "Waiting for you" }).locator("ins").innerText(), "noon");
  });

  test("WEB117 the second page uses the font of this server, without a request to another host", async () => {
    const hosts = new Set<string>();
    const visitor = await signedInAs(stage, ada);
    visitor.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await visitor.goto("/knowledge-bases");
    assert.equal(await visitor.locator("link[rel=preload][as=font]").count(), 1, "signing in was the first page");
    await visitor.evaluate("document.fonts.ready.then(() => 0)");
    assert.equal(await visitor.evaluate("document.fonts.check('16px \"Inter Variable\"')"), true);
    assert.deepEqual([...hosts], [stage.world.url]);
  });

  test("WEB116 settings are one area: its list marks the page and leads to the others", async () => {
    await page.goto("/settings");
    const list = page.getByRole("navigation", { name: "Settings" });
    assert.equal(await list.locator("[aria-current=page]").innerText(), "Appearance");
    for (const [link, heading] of [
      ["Account", "Account"],
      ["Security", "Sign-in and security"],
      ["API tokens", "API tokens"],
      ["Members", "Members"],
      ["Groups", "Groups"],
      ["Webhooks", "Webhooks"],
      ["Import", "Import"],
      ["Usage", "Usage"],
    ] as const) {
      await list.getByRole("link", { name: link, exact: true }).click();
      await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
      await ready(page);
      assert.equal(await list.locator("[aria-current=page]").innerText(), link);
    }
  });
});
