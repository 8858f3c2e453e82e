import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attrs } from "../types.ts";
import { parseMarkdown } from "./parse.ts";
import { wikiPage } from "./rules/wiki-link.ts";
import { serialiseBody } from "./serialise.ts";

const inline = (text: string) => parseMarkdown(text)[0]?.content;
const link = (text: string, href: string) => ({ marks: [{ attrs: { href }, type: "link" }], text, type: "text" });

test("WIKI1 a name in double brackets is a link to a page by its name", () => {
  assert.deepEqual(inline("[[Page]]"), [link("Page", "wiki:Page")]);
  assert.deepEqual(inline("[[A/Page#Head ing|text]]"), [link("text", "wiki:A/Page#Head ing")]);
  assert.deepEqual(parseMarkdown("![[image.png]]")[0]?.attrs, { src: "wiki:image.png" });
  assert.deepEqual(wikiPage("A/B/Page.md#One#Two"), { folders: ["A", "B"], page: "Page", heading: "Two" });
});

test("WIKI1 it comes out as it went in, alone, in lists and tables, beside other text", () => {
  const text =
    "See [[Page]] and [[Page#Heading|text]]![[a.png]]\n\n- [[One]]\n- ![[Note]]\n\n| a |\n| --- |\n| [[One]] |\n| [[One\\|two]] ![[a.png\\|20]] |\n\n![[b.jpg]]\n\n![[b.jpg|100x50]] ![[b.jpg|100]] ![[b.jpg|A boat]]\n";
  assert.equal(serialiseBody(parseMarkdown(text)).text, text);
  for (const source of [
    "| a |\n|--|\n| [[One\\|two]] |\n",
    "# [[One|two]]\n",
    "**[[One|two]]**\n",
    "![[a.png|100]]\n",
  ]) {
    const once = parseMarkdown(source);
    assert.deepEqual(parseMarkdown(serialiseBody(once).text), once, source);
  }
});

test("WIKI1 numbers behind the bar of a picture are its size", () => {
  const attrsOf = (text: string) => parseMarkdown(text)[0]?.attrs;
  assert.deepEqual(attrsOf("![[a.png|100]]"), { src: "wiki:a.png", width: 100 });
  assert.deepEqual(attrsOf("![[a.png|100x50]]"), { src: "wiki:a.png", width: 100, height: 50 });
  assert.deepEqual(attrsOf("![[a.png|A boat]]"), { src: "wiki:a.png", alt: "A boat" });
  assert.deepEqual(attrsOf("![[a.png|A boat|100]]"), { src: "wiki:a.png", alt: "A boat", width: 100 });
  assert.deepEqual(attrsOf("![[a.png#icon]]"), { src: "wiki:a.png#icon" });
  assert.deepEqual(attrsOf("![[a.png#outline|100]]"), { src: "wiki:a.png#outline", width: 100 });
});

test("WIKI1 a picture that its brackets cannot describe in full is written by its file name", () => {
  const others: Attrs[] = [{ alt: "100" }, { alt: "a|b" }, { width: "50%" }, { height: 20 }, { title: "t" }];
  for (const more of others) {
    const picture = (src: string) => ({ type: "image", attrs: { src, ...more } });
    const { text } = serialiseBody([picture("wiki:a.png#icon")]);
    assert.deepEqual(parseMarkdown(text), [picture("a.png")]);
  }
});

test("WIKI1 links by name keep their brackets inside and beside other marks", () => {
  for (const text of [
    "**[[B]]**\n",
    "*[[B|b]]* and ~~[[C]]~~\n",
    "**bold [[B]] bold**\n",
    "> [!NOTE]\n> **See [[B]]**\n> more\n",
    "see [[B]]: x\n",
    "- [[B]]: x\n",
    "[[B]]: x\n",
    "[[A]][[B]]\n",
    "[[A]][^1]\n\n[^1]: x\n",
    "[[A]][text](https://x.example)\n",
    "[[A]]\\(x)\n",
    "![[E.png#icon]]\n",
    "![[E.png#outline|100]]\n",
    "| a |\n| --- |\n| ![[E.png#outline\\|boat\\|100]] |\n",
  ])
    assert.equal(serialiseBody(parseMarkdown(text)).text, text);
});

test("WIKI1 a link by name whose words have several styles is several links, and no address begins with wiki:", () => {
  const marks = [{ type: "link", attrs: { href: "wiki:B" } }, { type: "bold" }];
  const content = [
    { type: "text", text: "a ", marks: [marks[0]!] },
    { type: "text", text: "b", marks },
  ];
  const { text, warnings } = serialiseBody([{ type: "paragraph", content }]);
  assert.equal(text, "[[B|a ]]**[[B|b]]**\n");
  assert.deepEqual([parseMarkdown(text)[0]?.content, warnings], [content, []]);
  const named = (href: string) => [{ type: "paragraph", content: [link("a [b]", href)] }];
  const written = serialiseBody(named("wiki:A/B#Head"));
  assert.equal(written.text, "[a \\[b\\]](A/B.md#Head)\n");
  assert.deepEqual(
    written.warnings.map(({ code }) => code),
    ["value_replaced"],
  );
  assert.equal(serialiseBody(parseMarkdown(written.text)).text, written.text);
});

test("WIKI1 what Markdown reads otherwise stays what it is", () => {
  for (const text of [
    "[[a]](https://x.example)\n",
    "[[a]]\n\n[a]: https://x.example\n",
    "[[a]][b]\n\n[b]: https://x.example\n",
    "[[1]]\n",
    "`[[a]]`\n",
    "[[a\n",
  ])
    assert.ok(!JSON.stringify(parseMarkdown(text)).includes("wiki:"), text);
  const plain = [{ type: "paragraph", content: [{ type: "text", text: "[[a]] ![[b.png]] !" }, link("c", "wiki:c")] }];
  assert.deepEqual(parseMarkdown(serialiseBody(plain).text)[0]?.content, plain[0]!.content);
});

test("WIKI1 many brackets cost linear time", () => {
  for (const text of [
    "[[".repeat(2_000),
    "[[a|".repeat(2_000),
    `[[${"a".repeat(200_000)}]]`,
    "![[a.png]]".repeat(2_000),
  ])
    assert.ok(serialiseBody(parseMarkdown(text)).text.length > 0);
});

test("WIKI1 a picture that is attached and named is written by its name, and nothing is lost", () => {
  const attrs = { src: "/api/v1/attachments/att_01", wiki: "a.png", width: 100 };
  const inText = {
    type: "paragraph",
    content: [
      { type: "text", text: "a " },
      { type: "inlineImage", attrs },
    ],
  };
  assert.deepEqual(serialiseBody([{ type: "image", attrs }]), { text: "![[a.png|100]]\n", warnings: [] });
  assert.deepEqual(serialiseBody([inText]), { text: "a ![[a.png|100]]\n", warnings: [] });
});
