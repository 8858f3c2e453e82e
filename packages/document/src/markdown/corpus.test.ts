import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import MarkdownIt from "markdown-it";
import { splitReadable } from "../properties/front-matter.ts";
import { parseMarkdown } from "./parse.ts";
import { restyle } from "./restyle.ts";
import { serialiseBody } from "./serialise.ts";
import { type RealFile, realFiles } from "./testing/real-files.ts";

const FILES = Number(process.env.SVC_TEST_CORPUS ?? 1000);
const SEED = Number(process.env.SVC_TEST_SEED ?? 23);

/** A reference rendering: GFM as markdown-it implements it. */
const gfm = new MarkdownIt({ html: true, linkify: true });

type Flaw = "bytes" | "rendering" | "fixed point" | "own style";

/** Checks a file after reading and writing it, both in its original style and in our own. */
function flawsOf({ text }: RealFile): Map<Flaw, string> {
  const { frontMatter, body } = splitReadable(text);
  const flaws = new Map<Flaw, string>();
  const blocks = parseMarkdown(body);
  const own = serialiseBody(blocks).text;
  const restyled = restyle(body, blocks);
  const written = restyled ?? own;
  if (frontMatter + written !== text)
    flaws.set("bytes", restyled === undefined ? "written anew" : place(written, body));
  if (written !== body && gfm.render(written) !== gfm.render(body))
    flaws.set("rendering", place(gfm.render(written), gfm.render(body)));
  const again = parseMarkdown(own);
  if (!isDeepStrictEqual(again, blocks)) flaws.set("own style", "is read as other blocks");
  const ownAgain = serialiseBody(again).text;
  if (ownAgain !== own) flaws.set("fixed point", place(ownAgain, own));
  return flaws;
}

/** Shows the first difference of two texts with a few characters of both. */
function place(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const near = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
  return `${near(a)} instead of ${near(b)}`;
}

test("STYLE1 real files come back byte for byte, render alike, and say the same in our own style", (t) => {
  const files = realFiles(FILES, SEED);
  const found = files.map((file) => ({ path: file.path, flaws: flawsOf(file) }));
  const having = (flaw: Flaw) =>
    found.flatMap(({ path, flaws }) => (flaws.has(flaw) ? [`${path}: ${flaws.get(flaw)}`] : []));
  t.diagnostic(`${files.length} files, ${files.length - having("bytes").length} of them byte for byte`);
  for (const line of having("bytes")) t.diagnostic(`not byte for byte: ${line}`);
  assert.ok(files.length > 50, "the packages that this one needs bring more");
  assert.deepEqual(having("rendering"), []);
  assert.deepEqual(having("fixed point"), []);
  assert.deepEqual(having("own style"), []);
  assert.ok(having("bytes").length <= files.length / 100, having("bytes").join("\n"));
});
