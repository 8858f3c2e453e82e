import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "@svc/server/http/port-of";
import type { Page } from "playwright-core";
import { assertStatus, type Client, type Loose } from "../../server/test/support/client.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { until } from "../../server/test/support/until.ts";
import { inBrowser, type Stage } from "./browser.ts";
import { openPanel } from "./document-page.ts";
import { makeAccount, programOf, signedInAs } from "./people.ts";
import { violations } from "./violations.ts";

/** A LibreTranslate that puts `es:` before every text. */
const provider = createServer(async (request, response) => {
  response.setHeader("content-type", "application/json");
  if (request.url?.endsWith("/languages")) return response.end(JSON.stringify([{ code: "en", targets: ["es"] }]));
  const { q } = (await json(request)) as { q: string[] };
  return response.end(JSON.stringify({ translatedText: q.map((text) => `es: ${text}`) }));
})
  .listen(0, "127.0.0.1")
  .unref();
after(() => void provider.close());
await once(provider, "listening");
const url = `http://127.0.0.1:${portOf(provider)}`;

const suite = (stage: Stage) => {
  let page: Page;
  let program: Client;
  let set: Loose;

  before(async () => {
    const account = await makeAccount(stage);
    program = await programOf(stage, account);
    const { id } = await makeDocument(program, { title: "Manual", text: "# One\n\nTwo\n\nThree\n" });
    const languages = { source_locale: "en", target_locales: ["es"] };
    set = assertStatus(await program.post(`/documents/${id}/localization/activate`, languages), 201).data;
    const path = `/documents/${set.source_document_id}/translation-jobs`;
    const job = assertStatus(await program.post(path, { target_locale: "es" }), 202).data;
    for (let status = ""; status !== "succeeded"; await sleep(50))
      status = (await program.get(`/translation-jobs/${job.id}`)).data.status;
    page = await signedInAs(stage, account);
  });

  test("WEB30 what waits is listed, and the machine's texts are used or ignored one by one", async () => {
    await page.goto("/review?show=translations");
    await page.getByRole("listitem").filter({ hasText: "Spanish (es)" }).getByRole("link", { name: "Review" }).click();
    await page.getByRole("heading", { name: "English (en) → Spanish (es)" }).waitFor();
    const units = page.locator(".unit");
    assert.equal(await units.count(), 3);
    assert.deepEqual(await violations(page), []);
    await page.locator("html[data-desk-ready]").waitFor();
    await units.filter({ hasText: "Two" }).getByRole("button", { name: "Use machine translation" }).click();
    await units.filter({ hasText: "Two" }).waitFor({ state: "hidden" });
    await units.filter({ hasText: "Three" }).getByRole("button", { name: "Ignore" }).click();
    await units.filter({ hasText: "Three" }).waitFor({ state: "hidden" });
    assert.deepEqual(await units.locator("p[lang=en]").allTextContents(), ["One"]);
    const target = set.variants[1].document_id;
    const text = (await program.get(`/documents/${target}/content?format=markdown`)).text;
    assert.match(text, /es: Two/);
    assert.doesNotMatch(text, /es: Three/);
  });

  test("WEB52 the desk takes a person's text, or the machine's, with the keyboard alone", async () => {
    await page.goto(`/documents/${set.source_document_id}/translations/es?all=1`);
    await page.locator("html[data-desk-ready]").waitFor();
    const field = (source: string) => page.getByRole("textbox", { name: `Translation of: ${source}` });
    await field("One").fill("not sent yet");
    await field("Three").fill("Tres **veces**");
    await field("Three").press("Control+Enter");
    const target = set.variants[1].document_id;
    const text = async () => (await program.get(`/documents/${target}/content?format=markdown`)).text;
    await until("the text is there", async () => (await text()).includes("Tres **veces**"));
    // The server's text in the field, not the typed one.
    await until("the list is new", async () => (await field("Three").textContent()) === "Tres **veces**");
    assert.equal(await field("One").inputValue(), "not sent yet");
    await page.getByRole("navigation", { name: "Workspace" }).waitFor();
    await field("One").press("Alt+Enter");
    assert.equal(await field("One").inputValue(), "es: One");
    await field("One").press("Control+Enter");
    await until("the machine's text is there", async () => (await text()).includes("# es: One"));
    const units = (await program.get(`/documents/${target}/translation-units?locale=es`)).data;
    assert.deepEqual(
      units.map(({ origin, freshness }: Loose) => [origin, freshness]),
      [
        ["machine", "current"],
        ["machine", "current"],
        ["manual", "current"],
      ],
    );
  });

  test("WEB30 a document leads to its other languages", async () => {
    await page.goto(`/documents/${set.source_document_id}`);
    await openPanel(page, "Info");
    await page.getByRole("link", { name: "Spanish (es)" }).click();
    await page.getByText("es: Two").waitFor();
  });

  test("WEB30 an answer to a text that has changed meanwhile is not taken", async () => {
    const target = set.variants[1].document_id;
    await page.goto(`/documents/${target}/translations/es?all=1`);
    const content = { format: "markdown", content: "# Uno\n\nDos\n\nTres\n" };
    await program.put(`/documents/${target}/content`, content, { ifMatch: "*" });
    await page.locator("html[data-desk-ready]").waitFor();
    await page.getByRole("button", { name: "Ignore" }).first().click();
    await page.getByRole("alert").getByText("It has changed since").waitFor();
  });

  test("WEB30 a page gets its first other language, and another one, in the browser", async () => {
    const { id } = await makeDocument(program, { title: "Leaflet", text: "Hello.\n" });
    await page.goto(`/documents/${id}/translations`);
    assert.deepEqual(await violations(page), []);
    const add = async (tag: string) => {
      await page.getByLabel("Add a version in").fill(tag);
      await page.getByRole("button", { name: "Add", exact: true }).click();
    };
    await page.getByLabel("This page is written in").fill("en");
    await add("no language");
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("This page is written in").inputValue(), "en");
    await add("es");
    await page.getByText("The language was added").waitFor();
    await add("de");
    await page.getByRole("link", { name: "Translate into German (de)" }).click();
    await page.getByRole("heading", { name: "English (en) → German (de)" }).waitFor();
    assert.equal((await program.get(`/documents/${id}/localizations`)).data.variants.length, 3);
  });
};

inBrowser("translations", suite, { SVC_TRANSLATION_PROVIDER: "libretranslate", SVC_TRANSLATION_URL: url });
