/**
 * `npm run bench:pages`: a workspace of 10,000 documents in Chromium. How long after a click its answer is painted, and
 * how soon a page is: beside the same work in a workspace of ten documents, on this machine, in one run. Prints tables
 * in Markdown.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { Client } from "../packages/server/test/support/client.ts";
import { makeDocument, startImport, zipOf } from "../packages/server/test/support/fixtures.ts";
import { ready, Stage } from "../packages/web/e2e/browser.ts";
import { makeAccount, programOf, signedInAs } from "../packages/web/e2e/people.ts";

const REPEATS = 7;
/** Documents in one folder, and in folders of a hundred each. */
const LARGE = { inOneFolder: 3000, inOthers: 7000 };
const SMALL = { inOneFolder: 5, inOthers: 5 };

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function fill(client: Client, { inOneFolder, inOthers }: typeof LARGE): Promise<void> {
  const text = (n: number) => `Page ${n} has a few words about topic ${n % 97}.\n`;
  const files = Object.fromEntries([
    ...Array.from({ length: inOneFolder }, (_, n) => [`Long/Page ${n}.md`, text(n)]),
    ...Array.from({ length: inOthers }, (_, n) => [`Folder ${Math.floor(n / 100)}/Note ${n}.md`, text(n)]),
  ]);
  const { id } = await startImport(client, await zipOf(files), "Handbook");
  for (;;) {
    const { data } = await client.get(`/import-jobs/${id}`);
    if (data.status === "succeeded") return;
    if (data.status === "failed") throw new Error(JSON.stringify(data));
    await sleep(250);
  }
}

/** From an event in the page until the frame after something is there. */
async function painted(page: Page, act: () => Promise<unknown>, there: string): Promise<number> {
  await page.evaluate(`globalThis.painted = new Promise((done) => {
    let began;
    const start = () => { began ??= performance.now(); };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, start, { capture: true, once: true });
    const look = () => {
      if (began === undefined || !(${there})) return requestAnimationFrame(look);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(performance.now() - began);
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  }); undefined`);
  await act();
  return page.evaluate<number>("globalThis.painted");
}

const item = (page: Page, name: string) => page.getByRole("treeitem", { name, exact: true });
const rowIsThere = (name: string) => `document.querySelector('[role=treeitem][data-name="${name}"]')`;

async function treeTimes(page: Page): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  const add = (name: string, value: number) => {
    times[name] = [...(times[name] ?? []), value];
  };
  const twisty = (name: string) => item(page, name).locator(".tree-twisty").click();
  await page.goto("/members");
  for (let i = 0; i < REPEATS; i++) {
    add("open a knowledge base in the tree", await painted(page, () => twisty("Handbook"), rowIsThere("Long")));
    add("open its long folder", await painted(page, () => twisty("Long"), rowIsThere("Page 1")));
    for (const more of [1, 2, 3])
      if (await item(page, "Show more").count())
        add(
          "show the next hundred",
          await painted(page, () => item(page, "Show more").last().click(), rowIsThere(`Page ${more * 100 + 50}`)),
        );
    add(
      "menu of a row",
      await painted(
        page,
        () => item(page, "Long").click({ button: "right" }),
        "document.querySelector('[role=menu]')?.checkVisibility()",
      ),
    );
    await page.keyboard.press("Escape");
    add("an arrow key", await painted(page, () => page.keyboard.press("ArrowDown"), "true"));
    add("close the folder", await painted(page, () => twisty("Long"), `!${rowIsThere("Page 1")}`));
    await twisty("Handbook");
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, middle(values)]));
}

async function paletteTime(page: Page): Promise<number> {
  const values: number[] = [];
  await page.goto("/members");
  for (let i = 0; i < REPEATS; i++) {
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Go to a page or command" });
    await field.fill("Page ");
    values.push(
      await painted(
        page,
        () => page.keyboard.type(`${i % 5}`),
        `[...document.querySelectorAll("[role=option]")].some((one) => /Page ${i % 5}/.test(one.textContent))`,
      ),
    );
    await page.keyboard.press("Escape");
  }
  return middle(values);
}

/** From asking for a page until its first paint, and until everything of it is there. */
async function pageTimes(page: Page, address: string): Promise<{ paint: number; load: number }> {
  const paints: number[] = [];
  const loads: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    await page.goto(address);
    await ready(page);
    const [paint, load] = await page.evaluate<[number, number]>(
      `[performance.getEntriesByName("first-contentful-paint")[0].startTime, performance.getEntriesByType("navigation")[0].loadEventEnd]`,
    );
    paints.push(paint);
    loads.push(load);
  }
  return { paint: middle(paints), load: middle(loads) };
}

const ms = (value: number | undefined): string => (value === undefined ? "–" : value.toFixed(0));

const stage = new Stage({});
await stage.start();
try {
  const made = async (size: typeof LARGE) => {
    const account = await makeAccount(stage, { name: "Ada" });
    const client = await programOf(stage, account);
    await fill(client, size);
    return { client, page: await signedInAs(stage, account, { reducedMotion: "reduce" }) };
  };
  const [small, large] = [await made(SMALL), await made(LARGE)];
  const of = async ({ page }: typeof small) => ({
    ...(await treeTimes(page)),
    "a letter in the palette": await paletteTime(page),
  });
  const [few, many] = [await of(small), await of(large)];
  console.log("| from the click until it is painted, ms | 10,000 documents | 10 documents |");
  console.log("| --- | ---: | ---: |");
  for (const [name, value] of Object.entries(many))
    console.log(`| ${name} | ${ms(value)} | ${ms(few[name as keyof typeof few])} |`);
  console.log("\n| page | first paint, ms | loaded, ms |");
  console.log("| --- | ---: | ---: |");
  const { client, page } = large;
  const base = (await client.get("/knowledge-bases")).data[0];
  const show = async (name: string, address: string) => {
    const { paint, load } = await pageTimes(page, address);
    console.log(`| ${name} | ${ms(paint)} | ${ms(load)} |`);
  };
  await show("all knowledge bases", "/knowledge-bases");
  await show("a knowledge base of 10,000 documents", `/knowledge-bases/${base.id}`);
  const folders = (await client.get(`/knowledge-bases/${base.id}/children`)).data;
  const long = folders.find(({ name }: { name: string }) => name === "Long");
  await show("a folder of 3,000 documents", `/folders/${long.id}`);
  for (const blocks of [100, 1000, 10_000]) {
    const text = Array.from({ length: blocks }, (_, n) =>
      n % 10 === 0 ? `## Heading ${n}\n` : `Paragraph ${n} has a few words, as a sentence of a handbook does.\n`,
    ).join("\n");
    const { id } = await makeDocument(client, { title: `${blocks} blocks`, knowledge_base_id: base.id, text });
    await show(`a document of ${blocks.toLocaleString("en")} blocks`, `/documents/${id}`);
  }
} finally {
  await stage.stop();
}
