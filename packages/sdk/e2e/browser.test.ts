import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { portOf } from "@svc/server/http/port-of";
import type { Browser, Page } from "playwright-core";
import { launchChromium, requireChromium } from "../../server/test/support/chromium.ts";
import { Stage } from "../test/support/stage.ts";

const sources = join(import.meta.dirname, "../src");

/** A site of its own origin that has the SDK among its scripts. */
function startSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const name = /^\/sdk\/([\w./-]+\.ts)$/.exec(request.url ?? "")?.[1];
    if (!name)
      return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>site</title>");
    const code = stripTypeScriptTypes(readFileSync(join(sources, name), "utf8"));
    response.writeHead(200, { "content-type": "text/javascript" }).end(code);
  });
  return new Promise((resolve) => void server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe("in a browser", requireChromium(), () => {
  const stage = new Stage();
  let browser: Browser;
  let site: Server;
  let page: Page;

  before(async () => {
    await stage.start();
    site = await startSite();
    browser = await launchChromium();
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${portOf(site)}/`);
  });
  after(async () => {
    await browser?.close();
    site?.close();
    await stage.world.stop();
  });

  test("SDK13 a page of another origin reads, writes, listens, uploads and downloads", async () => {
    const { url: baseUrl } = stage.world;
    const { token } = stage.person;
    const outcome = await page.evaluate(
      async ({ baseUrl, token, module }) => {
        const sdk: typeof import("@svc/sdk") = await import(module);
        const client = sdk.createClient({ baseUrl, token });
        const { data: kb } = await client.post("/knowledge-bases", { body: { name: "Browser" } });
        // From before the document: without it, the stream begins whenever its first request is answered.
        const { resume_from } = await client.get("/changes");
        const events = sdk.streamEvents(client, { lastEventId: resume_from });
        const first = events.next();
        const { data: doc } = await client.post("/documents", { body: { title: "Page", knowledge_base_id: kb.id } });
        await sdk.updateMarkdown(client, doc.id, () => "Written in a browser.");
        const content = new Blob(["from a page"]).stream();
        const progress: number[] = [];
        const file = { documentId: doc.id, fileName: "page.txt", content };
        const attachment = await sdk.uploadAttachment(client, file);
        const download = await sdk.downloadAttachment(client, attachment.id, { onProgress: (n) => progress.push(n) });
        const error = await client
          .get("/documents/{id}", { path: { id: "doc_none" } })
          .catch((reason: unknown) => reason);
        const titles: string[] = [];
        for await (const { title } of sdk.listAll(client, "/documents", { query: { limit: 1 } })) titles.push(title);
        const { value: event } = await first;
        return {
          event: event.type,
          titles,
          text: await new Response(download.stream).text(),
          name: download.fileName,
          refused: sdk.isApiError(error, "not_found") && error.requestId?.startsWith("req_"),
        };
      },
      { baseUrl, token, module: "/sdk/index.ts" },
    );
    assert.deepEqual(outcome, {
      event: "document.created",
      titles: ["Page"],
      text: "from a page",
      name: "page.txt",
      refused: true,
    });
  });
});
