import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { assertStatus, type Client } from "../../server/test/support/client.ts";
import { makeDocument, makeKnowledgeBase } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready, type Stage } from "./browser.ts";
import { fillLibrary, type Library } from "./library.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

/** Passes axe, and fits, on a desktop and on a phone, in light and dark; SVC_TEST_PICTURES names a folder for pictures. */
async function looksRight(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 400],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await violations(page), [], `${name} ${colorScheme}`);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert.ok(Number(overflow) <= 0, `${name}: ${overflow} px too wide at ${width}`);
    const folder = process.env.SVC_TEST_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 900 });
}

const suite = (stage: Stage) => {
  let owner: Account;
  let grace: Account;
  let program: Client;
  let library: Library;
  let page: Page;
  let member: Page;

  before(async () => {
    owner = await makeAccount(stage);
    grace = await makeAccount(stage, { name: "Grace Hopper", workspace: owner.workspaceId, role: "editor" });
    program = await programOf(stage, owner);
    library = await fillLibrary(program);
    page = await signedInAs(stage, owner);
    member = await signedInAs(stage, grace);
  });

  test("RIGHT16 owners make, fill, rename and delete groups; others see them", async () => {
    await page.goto("/groups");
    await page.getByLabel("Name", { exact: true }).fill("Writers");
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByText("The group is ready.").waitFor();
    await page.getByLabel("Member to add to Writers").selectOption("Grace Hopper");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("The group has been changed.").waitFor();
    await page.getByRole("button", { name: "Remove Grace Hopper from Writers" }).waitFor();
    await looksRight(page, "groups");
    await member.goto("/groups");
    await member.getByRole("heading", { name: "Writers" }).waitFor();
    assert.equal(await member.getByRole("button", { name: /Add|Rename|Remove|Create/ }).count(), 0);
    await page.getByLabel("Name of Writers").fill("Authors");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { name: "Authors" }).waitFor();
  });

  test("RIGHT16 owners set the access of a knowledge base, others see it, and what is hidden is gone", async () => {
    await page.goto(`/knowledge-bases/${library.base.id}`);
    await page.getByRole("link", { name: "Access", exact: true }).click();
    await page.getByRole("heading", { name: "Access", exact: true }).waitFor();
    await looksRight(page, "access");
    await page.getByLabel("Role of everybody").selectOption("No access");
    await page.getByLabel("Role of Authors").selectOption("Viewer");
    await page.getByLabel("Viewers may comment and suggest").uncheck();
    await page.getByRole("button", { name: "Save access" }).click();
    await page.getByText("Permissions updated").waitFor();
    assert.equal(await page.getByLabel("Viewers may comment and suggest").isChecked(), false);
    await member.goto(`/knowledge-bases/${library.base.id}/access`);
    await member.getByText("Your role here: Viewer.").waitFor();
    await member.getByText("May only read").waitFor();
    assert.equal((await program.get(`/knowledge-bases/${library.base.id}`)).data.members_may_comment, false);
    assert.equal(await member.getByRole("button", { name: "Save access" }).count(), 0);
    await looksRight(member, "access-seen");
    await member.goto(`/folders/${library.folder.id}`);
    assert.equal(await member.getByRole("button", { name: /New/ }).count(), 0, "a viewer here is offered no writing");
    assert.equal(await member.getByRole("button", { name: /share link/ }).count(), 0);
    await page.getByLabel("Role of Authors").selectOption("Default");
    await page.getByRole("button", { name: "Save access" }).click();
    await page.getByText("Permissions updated").waitFor();
    assert.equal((await member.goto(`/knowledge-bases/${library.base.id}/access`))?.status(), 404);
    await page.getByLabel("Role of everybody").selectOption("Their role in the workspace");
    await page.getByRole("button", { name: "Save access" }).click();
    await page.getByText("Permissions updated").waitFor();
  });

  test("RIGHT16 a save on an outdated page is shown as it is now instead", async () => {
    await page.goto(`/knowledge-bases/${library.base.id}/access`);
    const access = { default_role: null, members: [{ user_id: grace.userId, role: "commenter" }], groups: [] };
    assertStatus(await program.put(`/knowledge-bases/${library.base.id}/access`, access, { ifMatch: "*" }), 200);
    await page.getByRole("button", { name: "Save access" }).click();
    await page.getByText("Someone else changed the permissions").waitFor();
    assert.equal(await page.getByLabel("Role of Grace Hopper").inputValue(), "commenter");
  });

  test("WEB74 owners delete a knowledge base by typing its name; others are not offered it", async () => {
    const { id, name } = await makeKnowledgeBase(program, "Short-lived");
    await makeDocument(program, { knowledge_base_id: id });
    await member.goto(`/knowledge-bases/${id}/access`);
    assert.equal(await member.getByText("Delete this knowledge base").count(), 0);
    await page.goto(`/knowledge-bases/${id}/access`);
    const remove = async (typed: string) => {
      await page.getByText("Delete…", { exact: true }).click();
      await page.getByLabel("Name of the knowledge base").fill(typed);
      await page.getByRole("button", { name: "Delete permanently" }).click();
    };
    await page.getByText("Delete…", { exact: true }).click();
    await looksRight(page, "delete-base");
    await page.getByText("Delete…", { exact: true }).click();
    await remove("Something else");
    await page.getByText("Nothing was deleted").waitFor();
    await remove(name);
    await page.getByText("The knowledge base and everything in it").waitFor();
    assert.equal((await program.get(`/knowledge-bases/${id}`)).status, 404);
  });

  test("RIGHT14 trash and review offer only what the role in the knowledge base allows", async () => {
    const { id } = await makeDocument(program, { title: "Old", knowledge_base_id: library.base.id });
    await program.delete(`/documents/${id}`);
    await program.post("/concept-candidates/extract", { knowledge_base_id: library.base.id });
    for (const [role, count] of [
      ["viewer", 0],
      ["editor", 1],
    ] as const) {
      const access = { default_role: "viewer", members: [{ user_id: grace.userId, role }], groups: [] };
      assertStatus(await program.put(`/knowledge-bases/${library.base.id}/access`, access, { ifMatch: "*" }), 200);
      await member.goto("/trash");
      await member.locator("bdi", { hasText: "Old" }).waitFor();
      assert.equal(await member.getByRole("button", { name: "Restore Old" }).count(), count, role);
      await member.goto("/review?show=concepts");
      await member.getByRole("heading", { name: "Concepts", exact: true }).waitFor();
      assert.equal((await member.getByRole("button", { name: /^Accept / }).count()) > 0, count > 0, role);
      assert.equal(await member.getByRole("button", { name: "Find concepts" }).count(), count, role);
    }
  });

  test("RIGHT14 the tree offers what the role in each knowledge base allows, whatever that in the workspace is", async () => {
    const reader = await makeAccount(stage, { name: "Rita", workspace: owner.workspaceId, role: "viewer" });
    const own = (await program.post("/knowledge-bases", { name: "Notebook" })).data.id;
    await makeDocument(program, { title: "First note", knowledge_base_id: own });
    const access = (id: number, role: string, user: Account, default_role: string | null = null) =>
      program.put(
        `/knowledge-bases/${id}/access`,
        { default_role, members: [{ user_id: user.userId, role }], groups: [] },
        { ifMatch: "*" },
      );
    assertStatus(await access(own, "editor", reader), 200);
    assertStatus(await access(library.base.id, "viewer", grace, "viewer"), 200);
    const asReader = await signedInAs(stage, reader);
    const actions = async (at: Page, base: string) => {
      await at.goto("/members");
      await ready(at);
      await at.getByRole("treeitem", { name: base, exact: true }).click({ button: "right" });
      await at.getByRole("menu").waitFor();
      return at.getByRole("menuitem").allTextContents();
    };
    assert.ok((await actions(asReader, "Notebook")).includes("New page"), "an editor here");
    assert.ok(!(await actions(asReader, "Handbook")).includes("New page"), "a viewer here");
    await asReader.goto(`/knowledge-bases/${own}`);
    await asReader.getByRole("checkbox", { name: "Choose First note" }).waitFor();
    assert.ok(await asReader.getByRole("button", { name: "New page" }).isVisible());
    assert.equal((await asReader.goto("/account/tokens"))?.status(), 200);
    await asReader.getByLabel("Read-write").waitFor();
    await asReader.goto(`/knowledge-bases/${own}`);
    await ready(asReader);
    await asReader.getByRole("treeitem", { name: "Notebook", exact: true }).click({ button: "right" });
    await asReader.getByRole("menuitem", { name: "New page", exact: true }).click();
    await asReader.waitForURL(/\/documents\/doc_\w+\/edit/);
    const offered = await actions(member, "Handbook");
    assert.ok(
      !offered.includes("New page") && offered.includes("Export"),
      "an editor of the workspace who is viewer here",
    );
    await member.goto(`/knowledge-bases/${library.base.id}`);
    await ready(member);
    assert.equal(await member.getByRole("checkbox").count(), 0);
  });

  test("SHARE9 a folder is shared with a password as a small site, which owners see and end", async () => {
    await page.goto(`/folders/${library.folder.id}`);
    await page.getByText("Share…", { exact: true }).click();
    await page.getByLabel("Expires").selectOption("In 7 days");
    await page.getByLabel("Password").fill("open sesame");
    await page.getByRole("button", { name: "Create public link" }).click();
    await page.getByText("The public link is ready.").waitFor();
    await looksRight(page, "folder-shared");
    const link = (await page.getByRole("textbox", { name: "Link" }).textContent()) ?? "";
    const anybody = await stage.visitor({ javaScriptEnabled: true });
    await anybody.goto(link);
    await looksRight(anybody, "site-password");
    await anybody.getByLabel("Password").fill("wrong");
    await anybody.getByRole("button", { name: "Open" }).click();
    await anybody.getByRole("alert").waitFor();
    await looksRight(anybody, "site-password-wrong");
    await anybody.getByLabel("Password").fill("open sesame");
    await anybody.getByRole("button", { name: "Open" }).click();
    await anybody.getByRole("heading", { name: "Onboarding" }).waitFor();
    await looksRight(anybody, "site-home");
    await anybody.getByRole("link", { name: "Welcome" }).click();
    await anybody.getByRole("heading", { name: "Welcome" }).waitFor();
    await anybody.getByText("All pages").click();
    await looksRight(anybody, "site-page");
    await until("the search of the site finds the page", async () => {
      await anybody.getByLabel("Search these pages").fill("everybody");
      await anybody.getByRole("button", { name: "Search" }).click();
      await anybody.waitForURL(/search\?q=everybody/);
      return (await anybody.locator(".hits mark").count()) > 0;
    });
    await looksRight(anybody, "site-search");
    await page.goto("/public-links");
    await page.getByRole("link", { name: "Onboarding" }).first().waitFor();
    await looksRight(page, "public-links");
    await page.locator("main").getByText("End", { exact: true }).click();
    await page.getByRole("button", { name: "End the link to Onboarding" }).click();
    await page.getByText("The link has ended").waitFor();
    assert.equal((await anybody.goto(link))?.status(), 404);
    assert.equal((await member.goto("/public-links"))?.status(), 403);
  });
};

inBrowser("access, groups and public links", suite);
