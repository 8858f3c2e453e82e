import assert from "node:assert/strict";
import { before, test } from "node:test";
import { invite } from "@svc/server/domain/identity/invitations/invite";
import type { Page } from "playwright-core";
import type { Client, Loose } from "../../server/test/support/client.ts";
import { HandProgram } from "../../server/test/support/consent.ts";
import { makeDocument, makeFolder, makeKnowledgeBase, startImport, zipOf } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, ready } from "./browser.ts";
import { type Account, makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

const SCRIPTS = ["مرحبا بالعالم", "你好世界", "สวัสดีชาวโลก", "नमस्ते दुनिया", "שלום עולם", "Ωραία 👩🏽‍🚀"];

inBrowser(
  "sturdy pages",
  (stage) => {
    let account: Account;
    let client: Client;
    let base: Loose;
    let page: Page;

    before(async () => {
      account = await makeAccount(stage, { name: `${"N".repeat(200)} ${SCRIPTS.join(" ")}` });
      client = await programOf(stage, account);
      base = await makeKnowledgeBase(client, "B".repeat(500));
      page = await signedInAs(stage, account);
    });

    const fits = async (path: string) => {
      await page.goto(path);
      for (const width of [320, 400, 1000, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const overflow = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
        assert.ok(overflow <= 0, `${path} is ${overflow} px too wide at ${width}`);
      }
      assert.deepEqual(await violations(page), [], path);
    };

    test("WEB54 a title of 500 letters without a space breaks no page", async () => {
      const folder = await makeFolder(client, { knowledge_base_id: base.id, name: "F".repeat(500) });
      const place = { knowledge_base_id: base.id, folder_id: folder.id };
      const { id } = await makeDocument(client, { title: "W".repeat(500), ...place, text: `${"x".repeat(500)}\n` });
      for (const path of [
        "/knowledge-bases",
        `/knowledge-bases/${base.id}`,
        `/folders/${folder.id}`,
        `/documents/${id}`,
        `/documents/${id}/versions`,
        `/search?q=${"x".repeat(500)}`,
      ])
        await fits(path);
    });

    test("WEB54 long names of people, groups, workspaces and programs break no page", async () => {
      const long = "N".repeat(500);
      const { database } = stage.world.app.services;
      const other = await makeAccount(stage, { name: long, workspace: account.workspaceId, role: "owner" });
      const group = await client.post("/groups", { name: long });
      await client.put(`/groups/${group.data.id}/members/${other.userId}`, {});
      const invitation = await database.transaction((tx) =>
        invite(tx, {
          workspaceId: account.workspaceId,
          createdBy: other.userId,
          role: "editor",
          note: "n".repeat(100),
        }),
      );
      const program = new HandProgram(stage.world.url);
      await program.register({ client_name: "P".repeat(100) });
      const question = new URL(program.authorizeUrl());
      const device = await client.post("/auth/device/code", { client_name: "P".repeat(100) });
      for (const path of [
        "/members",
        "/groups",
        "/account",
        "/account/tokens",
        `/knowledge-bases/${base.id}/access`,
        `/join/${invitation}`,
        `/device?code=${device.data.user_code}`,
        question.pathname + question.search,
        "/notifications/settings",
        "/workspaces/new",
      ])
        await fits(path);
    });

    test("WEB63 how one is told of a kind can be read on a phone", async () => {
      await page.setViewportSize({ width: 400, height: 800 });
      await page.goto("/notifications/settings");
      const widths = await page
        .locator(".settings-table select")
        .evaluateAll((selects) => selects.map((one) => one.clientWidth));
      assert.ok(widths.length > 0 && Math.min(...widths) > 100, String(widths));
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    test("WEB54 a page is read, and made, before any of its scripts arrive", async () => {
      const slow = await signedInAs(stage, account);
      const { id } = await makeDocument(client, {
        title: "Early",
        knowledge_base_id: base.id,
        text: "Already here.\n",
      });
      // The requests of scripts are never answered.
      await slow.route(/\.js$/, () => undefined);
      const open = (path: string) => slow.goto(path, { waitUntil: "commit" }).catch(() => undefined);
      void open(`/documents/${id}`);
      await slow.getByText("Already here.").waitFor();
      void open(`/knowledge-bases/${base.id}`);
      await slow.getByRole("button", { name: "New spreadsheet" }).click({ noWaitAfter: true });
      await slow.getByRole("heading", { name: "Untitled spreadsheet" }).waitFor();
    });

    test("WEB71 a folder of 3,000 documents is walked a hundred at a time, and never more than 200 rows are drawn", async () => {
      const pages = Array.from({ length: 3000 }, (_, n) => [`Long/Page ${n}.md`, `Text ${n}.\n`]);
      const files = { ...Object.fromEntries(pages), "Start.md": "Begin here.\n" };
      const { id: jobId } = await startImport(client, await zipOf(files), "Large");
      await until(
        "it is imported",
        async () => (await client.get(`/import-jobs/${jobId}`)).data.status === "succeeded",
      );
      const item = (name: string) => page.getByRole("treeitem", { name, exact: true });
      const rows = () => page.getByRole("treeitem", { name: /^Page \d+$/ }).count();
      await page.goto("/members");
      await item("Large").focus();
      await page.keyboard.press("ArrowRight");
      await item("Long").focus();
      await page.keyboard.press("ArrowRight");
      await item("Page 99").waitFor();
      for (const last of [199, 299, 399]) {
        await item("Show more").click();
        await item(`Page ${last}`).waitFor();
        assert.ok((await rows()) <= 200);
      }
      await page.locator('[role=treeitem][data-name="Page 300"]:focus').waitFor();
      await item("Show earlier").click();
      await item("Page 100").waitFor();
      assert.ok((await rows()) <= 200);
      await item("Page 150").click();
      await page.getByText("Text 150.").waitFor();
      await ready(page);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to a page or command" }).fill("Page 2987");
      await page.getByRole("option", { name: "Page 2987", exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Text 2987.").waitFor();
      await page.locator('[role=treeitem][aria-current=page][data-name="Page 2987"]').waitFor();
    });

    test("WEB71 the page of a long folder goes on where it ended, in the order of the tree", async () => {
      await page.goto("/knowledge-bases");
      await page
        .getByRole("link", { name: /^Large/ })
        .last()
        .click();
      await page.locator("[data-list]").getByRole("link", { name: "Long" }).click();
      const names = () => page.locator("[data-list] .item-name").allTextContents();
      await page.getByRole("heading", { name: "Long" }).waitFor();
      assert.deepEqual(
        await names(),
        Array.from({ length: 100 }, (_, n) => `Page ${n}`),
      );
      await page.getByRole("link", { name: "More" }).click();
      await page.locator("[data-list]").getByText("Page 100", { exact: true }).waitFor();
      assert.equal((await names()).at(-1), "Page 199");
      assert.deepEqual(await violations(page), []);
    });

    test("WEB71 among 250 knowledge bases the sidebar draws 200 and leads to all", async () => {
      const many = await makeAccount(stage, { name: "Grace" });
      const program = await programOf(stage, many);
      for (let n = 0; n < 250; n++) await makeKnowledgeBase(program, `Base ${n}`);
      const other = await signedInAs(stage, many);
      await other.goto("/members");
      assert.equal(await other.getByRole("treeitem").count(), 200);
      await other.getByRole("link", { name: "All 250 knowledge bases" }).click();
      await other.getByRole("link", { name: "More" }).click();
      await other.getByRole("link", { name: /^Base 249/ }).click();
      await other.getByRole("heading", { name: "Base 249" }).waitFor();
      await other.getByRole("treeitem", { name: "Base 249" }).waitFor();
    });
  },
  { SVC_MAX_KNOWLEDGE_BASES: "300", SVC_SMTP_URL: "smtp://127.0.0.1:9", SVC_MAIL_FROM: "svc@example.org" },
);
