import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { png } from "../support/attachments.ts";
import { launchChromium, requireChromium } from "../support/chromium.ts";
import { makeDocument, upload } from "../support/fixtures.ts";
import { World } from "../support/world.ts";

const sample = (imageUrl: string, fileUrl: string) => `## Why we share

A page that anyone with the link can read: **bold**, *italic*, ~~gone~~, \`code\`, ==marked==, and a [link](https://example.com/a/long/address). The quick brown fox jumps over the lazy dog while nobody is looking.

> A quotation stands apart, and keeps its voice low.

> [!WARNING]
> Mind the gap between the train and the platform.

### Steps

1. First this
2. Then that
   - with a detail
   - and another

- [x] Written
- [ ] Read

![A red rectangle](${imageUrl} "A caption under the picture")

## Numbers

| Quarter | Visitors | Share of all visitors that came | A rather wide last column |
| :-- | --: | :-: | --- |
| First | 1,204 | 12 % | Something that needs some room to be said |
| Second | 18,331 | 54 % | Less |

\`\`\`ts
const answer = await fetch("https://example.com/api/v1/documents", { headers: { authorization: "Bearer …" } });
\`\`\`

<details>
<summary>More</summary>

Folded away until it is wanted.

</details>

[report.pdf](${fileUrl} "attachment")

## שלום עולם

זהו טקסט מימין לשמאל, עם English באמצע.

## 日本語の見出し

長い文章も読みやすく表示されます。改行は自然に行われます。
`;

describe("the share page in a real browser", requireChromium(), () => {
  const world = new World("sqlite", {});
  let browser: Browser;
  let url: string;
  before(async () => {
    await world.start();
    browser = await launchChromium();
    const { client } = await world.person();
    const { id } = await makeDocument(client, { title: "How we share what we know" });
    const image = await upload(client, id, png, "p.png");
    const file = await upload(client, id, "%PDF-1.7\n", "report.pdf");
    const content = { format: "markdown", content: sample(image.url, file.url) };
    const written = await client.put(`/documents/${id}/content`, content, { ifMatch: "*" });
    assert.equal(written.status, 200, written.text);
    url = (await client.post(`/documents/${id}/public-share`)).data.url;
  });
  after(async () => {
    await browser?.close();
    await world.stop();
  });

  async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
    await page.goto(url, { waitUntil: "load" });
    return { page, complaints };
  }

  const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
  for (const [name, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(`SHARE7 on a ${name} in the ${colorScheme}: no scripts, no complaints, nothing wider than the screen`, async () => {
        const { page, complaints } = await open({ viewport, colorScheme });
        assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "How we share what we know");
        const picture = await page.locator("figure img").boundingBox();
        assert.ok(picture && picture.width >= 37 && picture.width <= viewport.width, "the picture is shown");
        const body = await page.locator("body").boundingBox();
        assert.ok(body && body.width <= viewport.width);
        for (const box of await Promise.all((await page.locator(".text > *").all()).map((part) => part.boundingBox())))
          assert.ok(!box || box.x + box.width <= viewport.width + 1, "a block sticks out");
        assert.deepEqual(complaints, []);
        if (process.env.SVC_TEST_SCREENSHOTS)
          await page.screenshot({
            path: `${process.env.SVC_TEST_SCREENSHOTS}/share-${name}-${colorScheme}.png`,
            fullPage: true,
          });
        await page.context().close();
      });
    }
  }

  test("SHARE7 the contents lead to the headings, and the file can be saved", async () => {
    const { page } = await open({ viewport: sizes.phone, javaScriptEnabled: true });
    await page.getByText("On this page").click();
    await page.getByRole("link", { name: "日本語の見出し" }).click();
    const top = await page
      .getByRole("heading", { name: "日本語の見出し" })
      .evaluate((h) => h.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 844, `heading at ${top}`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("report.pdf").click()]);
    assert.equal(download.suggestedFilename(), "report.pdf");
    await page.context().close();
  });

  test("SHARE7 it prints on paper without navigation", async () => {
    const { page } = await open({ viewport: sizes.desktop, colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".contents").isVisible(), false);
    const pdf = await page.pdf({ format: "A4" });
    assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
    await page.context().close();
  });
});
