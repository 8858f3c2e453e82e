/**
 * `npm run bench:editor`: the editor in Chromium beside a bare Tiptap editor on the same document, both on this machine,
 * one after the other. Prints a table in Markdown; on a busy machine only the ratios mean something.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Node } from "@svc/document/types";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { makeBody, readNodes } from "../packages/server/test/support/bodies.ts";
import { Stage } from "../packages/web/e2e/browser.ts";
import { makeAccount, programOf, signedInAs } from "../packages/web/e2e/people.ts";

const SIZES = (process.env.BLOCKS ?? "100,1000,10000").split(",").map(Number);
/** Keys that are measured; their middle one counts. */
const KEYS = 15;
const SURFACE = ".ProseMirror";

/** Paragraphs, headings, lists and code, as a handbook has them. */
function blocksOf(count: number): Node[] {
  const line = (i: number): Node => ({
    type: "paragraph",
    content: [{ type: "text", text: `Paragraph ${i} has a few words, as a sentence of a handbook does.` }],
  });
  return Array.from({ length: count }, (_, i) => {
    if (i % 10 === 0)
      return { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: `Heading ${i}` }] };
    if (i % 10 === 5) return { type: "bulletList", content: [{ type: "listItem", content: [line(i)] }] };
    if (i % 10 === 7)
      return { type: "codeBlock", attrs: { language: "js" }, content: [{ type: "text", text: `const a${i} = ${i};` }] };
    return line(i);
  });
}

/** The bare editor: the same nodes, nothing of ours around them. */
async function bareScript(): Promise<string> {
  const made = await build({
    stdin: {
      contents: `
        import { Editor } from "@tiptap/core";
        import { documentKit } from "@svc/tiptap-kit/kit";
        globalThis.startBare = (content) => {
          const began = performance.now();
          const element = document.createElement("div");
          new Editor({ element, extensions: documentKit(), content: { type: "doc", content } });
          document.body.append(element);
          element.getBoundingClientRect();
          return performance.now() - began;
        };`,
      resolveDir: import.meta.dirname,
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "iife",
    write: false,
  });
  return made.outputFiles[0]!.text;
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** From a key until the next frame, in the middle of the document; and the script's part of it. */
async function keyTimes(page: Page): Promise<{ script: number; frame: number }> {
  await page.evaluate(`{
    const blocks = document.querySelectorAll("${SURFACE} > p");
    const line = blocks[Math.floor(blocks.length / 2)];
    line.scrollIntoView({ block: "center" });
  }`);
  const index = await page.evaluate<number>(`Math.floor(document.querySelectorAll("${SURFACE} > p").length / 2)`);
  await page.locator(`${SURFACE} > p`).nth(index).click();
  await page.evaluate(`{
    globalThis.times = [];
    const surface = document.querySelector("${SURFACE}");
    let began = 0;
    addEventListener("keydown", () => { began = performance.now(); }, true);
    addEventListener("input", () => {
      const script = performance.now() - began;
      requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => times.push([script, performance.now() - began]); channel.port2.postMessage(0); });
    });
  }`);
  for (let i = 0; i < KEYS; i++) {
    await page.keyboard.type("x");
    // The page's policy forbids what `waitForFunction` does with a text.
    while (!(await page.evaluate<boolean>(`globalThis.times.length > ${i}`))) await sleep(5);
  }
  const times = await page.evaluate<[number, number][]>("globalThis.times");
  return { script: middle(times.map(([script]) => script)), frame: middle(times.map(([, frame]) => frame)) };
}

/** Megabytes of scripts' memory, after what is not used has gone. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 2 ** 20;
}

const stage = new Stage({});
await stage.start();
try {
  const bare = await bareScript();
  const ada = await makeAccount(stage, { name: "Ada" });
  const client = await programOf(stage, ada);
  console.log(
    "| blocks | editable: ours / bare, ms | a key: ours / bare, ms | key to frame: ours / bare, ms | memory: ours / bare, MB |",
  );
  console.log("| --- | --- | --- | --- | --- |");
  for (const size of SIZES) {
    const blocks = blocksOf(size);
    const { id } = await makeBody(client, blocks);
    const own = await signedInAs(stage, ada);
    own.setDefaultTimeout(120_000);
    await own.addInitScript(`new MutationObserver((_list, observer) => {
      if (!document.querySelector('${SURFACE}[contenteditable="true"]')) return;
      observer.disconnect();
      globalThis.editableAt = performance.now() - performance.getEntriesByType("navigation")[0].responseEnd;
    }).observe(document, { subtree: true, childList: true, attributes: true });`);
    await own.goto(`/documents/${id}/edit`);
    await own.locator(`${SURFACE}[contenteditable="true"]`).waitFor();
    const ownOpen = await own.evaluate<number>("globalThis.editableAt");
    // Of a long document the editor shows a part: the one in the middle, as in the bare editor.
    const half = Math.floor(size / 20) * 10;
    await own.evaluate(`location.hash = "#${(await readNodes(client, id)).nodes[half]?.attrs.id}"`);
    await own
      .locator(`${SURFACE} > *`, { hasText: `Heading ${half}` })
      .first()
      .waitFor();
    const ownKeys = await keyTimes(own);
    const ownMemory = await memoryOf(own);
    await own.close();
    const other = await stage.visitor();
    other.setDefaultTimeout(120_000);
    await other.addScriptTag({ content: bare });
    const bareOpen = await other.evaluate<number>(`startBare(${JSON.stringify(blocks)})`);
    const bareKeys = await keyTimes(other);
    const bareMemory = await memoryOf(other);
    await other.close();
    const pair = (a: number, b: number) => `${a.toFixed(1)} / ${b.toFixed(1)} (${(a / b).toFixed(2)}×)`;
    console.log(
      `| ${size} | ${pair(ownOpen, bareOpen)} | ${pair(ownKeys.script, bareKeys.script)} | ${pair(ownKeys.frame, bareKeys.frame)} | ${pair(ownMemory, bareMemory)} |`,
    );
  }
} finally {
  await stage.stop();
}
