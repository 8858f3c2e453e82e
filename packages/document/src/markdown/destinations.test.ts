import assert from "node:assert/strict";
import { test } from "node:test";
import { findFragment, hostSlugs } from "../read/slugs.ts";
import { findDestinations, replaceDestinations } from "./destinations.ts";

const values = (text: string) => findDestinations(text).map(({ value }) => value);

test("SYNC14 addresses are found in links, pictures, references, tags and wiki pictures", () => {
  const text = [
    "---\nlink: '[a](front.md)'\n---\n# [one](1.md)\n",
    "Text [two](<2 b.md> 'title') and ![three](3.png) over\n[lines](\n4.md)\\[no](x.md).\n",
    "- item [five](5(1).md)\n  > quoted [six][r] `[no](x.md)` ``[no](x.md) ` `` [seven](7\\_a.md)\n",
    '| a | b |\n| - | - |\n| [eight](8.md) | <img src="9.png" width="3"> |\n',
    '<p align="center">\n<a href="10.md"><img\n src=\'11.png\'></a>\n</p>\n',
    "```md\n[no](x.md)\n```\n\n    [no](x.md)\n\n$$\n[no](x.md)\n$$\n\n![[12.png|300]] [[Page]]\n\n[r]: 6.md 'six'\n",
  ].join("\n");
  const expected = ["1.md", "2 b.md", "3.png", "4.md", "5(1).md", "7_a.md", "8.md", "9.png", "10.md", "11.png"];
  assert.deepEqual(values(text), [...expected, "wiki:12.png", "6.md"]);
  assert.equal(
    replaceDestinations(text, () => undefined),
    text,
  );
});

test("SYNC14 another address takes the place of the old one, and nothing else changes", () => {
  const map = new Map([
    ["a b.md", "svc://doc/1"],
    ["wiki:p.png", "![](q)"],
  ]);
  const replaced = replaceDestinations("x [t](<a b.md> 't'), `[t](<a b.md>)`\r\n\r\n![[p.png|9]]\r\n", (value) =>
    map.get(value),
  );
  assert.equal(replaced, "x [t](svc://doc/1 't'), `[t](<a b.md>)`\r\n\r\n![](q)\r\n");
});

test("SYNC14 a hostile text is looked through in linear time", () => {
  for (const unit of ["](", "[a](<", "`", "``` ` ", "<a ", '<img src="', "![[", "[x]: ", "[a](b(", "> [a]: <"])
    findDestinations(unit.repeat(200_000 / unit.length));
});

test("EXP11 anchors are those of Git hosts, and lead back to their heading", () => {
  const texts = ["A & B", "a b", "a b", "Größe: 3,5 m²", "日本 語", "🎉", "snake_case-x"];
  assert.deepEqual(hostSlugs(texts), ["a--b", "a-b", "a-b-1", "größe-35-m²", "日本-語", "", "snake_case-x"]);
  hostSlugs(texts).forEach((slug, at) => {
    assert.equal(findFragment(texts, slug), slug === "" ? undefined : at);
  });
  assert.equal(findFragment(texts, "Top#A b"), 1, "by its words, as Obsidian writes them");
  assert.equal(findFragment(texts, "nothing"), undefined);
});
