/**
 * Markdown speed as ratios of one run: our parse against markdown-it's own on the same text, our writer against our
 * parse, and both on four times a quarter of the text. Real READMEs from node_modules, cut at 1 MB.
 * Run: node bench/micro/markdown.ts
 */
import { globSync, readFileSync } from "node:fs";
import createMarkdownIt from "markdown-it";
import { renderBody } from "../../packages/document/src/html/render.ts";
import { parseAnchored, serialiseAnchored } from "../../packages/document/src/markdown/anchors.ts";
import { parseMarkdown } from "../../packages/document/src/markdown/parse.ts";
import { withIds } from "../../packages/document/src/markdown/reconcile.ts";
import { serialiseBody } from "../../packages/document/src/markdown/serialise.ts";

const megabyte = 1_000_000;

function corpus(): string {
  let text = "";
  for (const file of globSync("node_modules/{*,@*/*}/*.md").sort()) {
    text += `${readFileSync(file, "utf8")}\n\n`;
    if (text.length >= megabyte) return text.slice(0, megabyte);
  }
  return text.repeat(Math.ceil(megabyte / Math.max(1, text.length))).slice(0, megabyte);
}

/** CPU milliseconds of the best of several runs: what neighbours on the machine disturb least. */
function best(run: () => unknown, rounds = 5): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  return fastest;
}

const text = corpus();
const quarter = text.slice(0, text.length / 4);
const reference = createMarkdownIt();
const blocks = parseMarkdown(text);
const quarterBlocks = parseMarkdown(quarter);
const fourfold = quarter.repeat(4);
const fourfoldBlocks = parseMarkdown(fourfold);
let next = 0;
const stored = blocks.map((block) => withIds(block, () => `block_${next++}`));
const anchored = serialiseAnchored(stored, new Map()).text;

const times = {
  library: best(() => reference.parse(text, {})),
  parse: best(() => parseMarkdown(text)),
  parseFourfold: best(() => parseMarkdown(fourfold)),
  parseQuarter: best(() => parseMarkdown(quarter)),
  write: best(() => serialiseBody(blocks)),
  writeFourfold: best(() => serialiseBody(fourfoldBlocks)),
  writeQuarter: best(() => serialiseBody(quarterBlocks)),
  html: best(() => renderBody(blocks)),
  anchored: best(() => parseAnchored(anchored, stored, () => "block_new"), 3),
};

const rows: readonly (readonly [what: string, ratio: number, goal: string])[] = [
  ["parse / markdown-it's parse", times.parse / times.library, "<= 3"],
  ["write / parse", times.write / times.parse, "<= 1"],
  ["parse of 4 times the text", times.parseFourfold / times.parseQuarter, "about 4"],
  ["write of 4 times the body", times.writeFourfold / times.writeQuarter, "about 4"],
  ["HTML / parse", times.html / times.parse, ""],
  ["anchored write-back / parse", times.anchored / times.parse, ""],
];
console.log(`${text.length} characters, ${blocks.length} top-level blocks, parse ${times.parse.toFixed(0)} ms`);
for (const [what, ratio, goal] of rows) console.log(`${what.padEnd(30)} ${ratio.toFixed(2).padStart(6)}  ${goal}`);
