import assert from "node:assert/strict";
import { test } from "node:test";
import { applyBatch, parseOperations } from "@svc/document/blocks/batch";
import { textOfHtml } from "@svc/document/html/raw/pieces";
import { sanitiseHtml } from "@svc/document/html/raw/sanitise";
import { htmlToBlocks } from "@svc/document/html/raw/to-blocks";
import { renderBody } from "@svc/document/html/render";
import { isColour } from "@svc/document/html/style";
import { isSafeImage, isSafeLink } from "@svc/document/html/url";
import { parseAnchored } from "@svc/document/markdown/anchors";
import { findAutolinks } from "@svc/document/markdown/autolink";
import { replaceDestinations } from "@svc/document/markdown/destinations";
import { readImgTag } from "@svc/document/markdown/img-tag";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { serialiseBody } from "@svc/document/markdown/serialise";
import { splitReadable } from "@svc/document/properties/front-matter";
import { readProperties } from "@svc/document/properties/read-properties";
import { links } from "@svc/document/read/links";
import { slugOf } from "@svc/document/read/slugs";
import { titleKey } from "@svc/document/read/title-key";
import { normaliseBody } from "@svc/document/schema/normalise";
import { validateBody } from "@svc/document/schema/validate";
import { countingIds } from "@svc/document/testing/builders";
import { parseQuery } from "@svc/search/query/query";
import { readCsv } from "../../src/domain/exchange/import/foreign/csv.ts";
import { blocksOfHtml } from "../../src/domain/exchange/import/foreign/html-blocks.ts";
import { readHtmlPage } from "../../src/domain/exchange/import/foreign/html-page.ts";
import { readHtml } from "../../src/domain/exchange/import/foreign/html-tree.ts";
import { pageAtNotion } from "../../src/domain/exchange/import/foreign/notion.ts";
import { withoutId } from "../../src/domain/exchange/import/foreign/notion-names.ts";
import { notionPageOf, readNotionPage } from "../../src/domain/exchange/import/foreign/notion-page.ts";
import {
  logseqNames,
  logseqProperties,
  logseqTitle,
  vaultKind,
} from "../../src/domain/exchange/import/foreign/vault-kind.ts";
import { markFormulas, showFormulas } from "../../src/domain/exchange/import/foreign/word-formulas.ts";
import { markLayout, showLayout, signlessLists } from "../../src/domain/exchange/import/foreign/word-layout.ts";
import { countBuiltIns } from "../support/steps/count-steps.ts";
import { steepInputs } from "./growth.ts";
import { jsonInputs, markupInputs } from "./inputs.ts";

const limits = { maxCharacters: 1_000_000 };
const bodyOf = (markdown: string) => normaliseBody({ type: "doc", content: parseMarkdown(markdown) }, countingIds(1));
const plainBody = bodyOf("One.\n\nTwo.\n\n- three\n- four\n");

const edit = (operation: Readonly<Record<string, unknown>>) =>
  applyBatch(plainBody, parseOperations([operation]), countingIds(1000), limits);

/** A page of a Notion export, made by its own reader of HTML. */
function readNotion(html: string): void {
  const page = notionPageOf(readHtml(`<article class="page"><h1 class="page-title">${html}</h1>${html}</article>`));
  if (page) readNotionPage("a.html", page);
}

type Reader = (text: string) => unknown;

const readers: Readonly<Record<string, Reader>> = {
  "Markdown, written again and shown": (text) => {
    const blocks = parseMarkdown(text);
    return [serialiseBody(blocks), renderBody(blocks), links(blocks)];
  },
  "Markdown with anchors": (text) => parseAnchored(text, plainBody.content, countingIds(1000)),
  autolinks: (text) => findAutolinks(text, ""),
  destinations: (text) => replaceDestinations(text, () => "b"),
  "a picture's tag": readImgTag,
  "raw HTML": htmlToBlocks,
  "cleaned HTML": sanitiseHtml,
  "text of HTML": textOfHtml,
  addresses: (text) => [isSafeLink(text), isSafeImage(text), isColour(text)],
  "front matter": (text) => splitReadable(`---\n${text}\n---\n`),
  properties: readProperties,
  "a slug": slugOf,
  "a title": titleKey,
  "a search query": parseQuery,
  "edit_markdown, found": (text) => edit({ op: "edit_markdown", old: "Two.", new: text }),
  "edit_markdown, sought": (text) => edit({ op: "edit_markdown", old: text, new: "x" }),
  "edit_markdown, in the page": (text) =>
    applyBatch(
      bodyOf(text),
      parseOperations([{ op: "edit_markdown", old: "no such words", new: "x" }]),
      countingIds(100_000),
      limits,
    ),
  append_markdown: (text) => edit({ op: "append_markdown", markdown: text }),
  "CSV of an import": readCsv,
  "HTML of an import": (text) => readHtmlPage("a.html", readHtml(text)),
  "blocks of HTML": (text) => blocksOfHtml(readHtml(text)),
  "a Confluence page": (text) =>
    readHtmlPage("a.html", readHtml(`<div id="main-content" class="wiki-content">${text}</div>`)),
  "a Notion page": readNotion,
  "a Notion name": (text) => [withoutId(text), pageAtNotion(text, new Map())],
  "Logseq pages": (text) => [logseqTitle(text), logseqProperties(text), logseqNames("a.md", text)],
  "the kind of a vault": (text) =>
    vaultKind({ paths: ["a.md"], pages: ["a.md"], read: async () => text, isPage: () => true }),
  "Word documents": (text) => [
    markFormulas(text),
    showFormulas(text),
    signlessLists(text),
    markLayout(text, new Set()),
    showLayout(text),
  ],
};

for (const [name, run] of Object.entries(readers))
  test(`HOST15 ${name}: ten times as much text takes about ten times the steps`, async () => {
    assert.deepEqual(await steepInputs(countBuiltIns, markupInputs, run), []);
  });

test("HOST15 JSON of a body: ten times as much takes about ten times the steps", async () => {
  const read = (text: string) => normaliseBody(validateBody(JSON.parse(text), limits), countingIds(1));
  assert.deepEqual(await steepInputs(countBuiltIns, jsonInputs, read), []);
});
