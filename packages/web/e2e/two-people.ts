import { defined } from "@svc/document/defined";
import type { Role } from "@svc/server/db/schema/tables/accounts";
import type { Page } from "playwright-core";
import { textsOf } from "../../server/test/support/bodies.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import type { Stage } from "./browser.ts";
import { SURFACE } from "./editor-page.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";

export const saved = (page: Page) => page.locator('[data-editor-part="status"]', { hasText: /^Saved$/ }).waitFor();

/** The texts of the blocks that an editor shows, without the names that stand at the carets of others. */
export const written = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll("${SURFACE} > *")].map((block) => {
    const copy = block.cloneNode(true);
    for (const name of copy.querySelectorAll(".caret-name")) name.remove();
    return copy.textContent.replaceAll("\\u2060", "");
  })`);

/** Puts the caret at the end of a block. */
export async function clickEnd(page: Page, at: number): Promise<void> {
  await page.locator(`${SURFACE} > *`).nth(at).click();
  await page.keyboard.press("End");
}

/** The laptop is closed: its connection is gone, and what is typed stays on it. */
export async function fallAsleep(stage: Stage, page: Page): Promise<void> {
  await page.context().setOffline(true);
  await stage.world.app.services.live.dropSockets();
  await page.locator('[data-editor-part="status"]', { hasText: "Offline · saved on this device" }).waitFor();
}

const nothing = async () => undefined;

/** Two people with one document in their editors, and a program of the first. */
export async function openTwo(
  stage: Stage,
  text: string,
  role: Role = "editor",
  prepare: (page: Page) => Promise<void> = nothing,
) {
  const ada = await makeAccount(stage, { name: "Ada" });
  const bob = await makeAccount(stage, { name: "Bob", workspace: ada.workspaceId, role });
  const client = await programOf(stage, ada);
  const { id } = await makeDocument(client, { title: "Plans", text });
  const pages = await Promise.all([ada, bob].map((account) => signedInAs(stage, account)));
  const problems: string[] = [];
  /** Edits that Bob's page sent: frames of bytes. */
  const sentByBob: Buffer[] = [];
  defined(pages[1]).on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => typeof payload !== "string" && sentByBob.push(payload)),
  );
  for (const page of pages) {
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await prepare(page);
    await page.goto(`/documents/${id}/edit`);
    if (role !== "viewer" || page === pages[0]) await saved(page);
  }
  const isText = (...wanted: readonly string[]) =>
    until(`the body is ${wanted}`, async () => (await textsOf(client, id)).join() === wanted.join());
  return { id, client, bob, a: defined(pages[0]), b: defined(pages[1]), problems, sentByBob, isText };
}
