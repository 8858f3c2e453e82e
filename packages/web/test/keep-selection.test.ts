import assert from "node:assert/strict";
import { test } from "node:test";
import { documentKit } from "@svc/tiptap-kit/kit";
import { getSchema } from "@tiptap/core";
import type { Node as EditorNode } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import { keepSelection, positionAfter } from "../src/browser/editor/binding/keep-selection.ts";

const schema = getSchema(documentKit());
const line = (id: string, text: string, type = "paragraph") =>
  schema.node(type, { id, ...(type === "heading" && { level: 2 }) }, text === "" ? [] : [schema.text(text)]);
const page = (...blocks: readonly EditorNode[]) => schema.node("doc", null, blocks);
const list = (id: string, ...lines: readonly EditorNode[]) =>
  schema.node(
    "bulletList",
    { id },
    lines.map((one) => schema.node("listItem", { id: `i${one.attrs.id}` }, [one])),
  );

/** The page's text with the caret as a stroke, lines apart. */
function shown(doc: EditorNode, caret: number | undefined): string {
  if (caret === undefined) return "gone";
  const $caret = doc.resolve(caret);
  const lines: string[] = [];
  doc.descendants((node) => {
    if (!node.isTextblock) return true;
    const { textContent: text } = node;
    const at = $caret.parentOffset;
    lines.push(node === $caret.parent ? `${text.slice(0, at)}|${text.slice(at)}` : text);
    return false;
  });
  return lines.join(" / ");
}

/** Behind these letters of the line `m`. */
function behind(doc: EditorNode, letters: string): number {
  let start = 0;
  doc.descendants((node, position) => {
    if (node.attrs.id === "m") start = position + 1;
  });
  return start + letters.length;
}

/** The caret behind these letters of the line `m`, after others made `now` of `before`. */
const after = (before: EditorNode, now: EditorNode, letters: string): string =>
  shown(now, positionAfter(before, now, behind(before, letters)));

/** The page after the person types on in a new line at their old position. */
function typedOn(before: EditorNode, now: EditorNode, letters: string): string {
  const { tr } = EditorState.create({ doc: before });
  tr.replaceWith(0, before.content.size, now.content);
  const { selection } = keepSelection(tr, TextSelection.create(before, behind(before, letters)), false);
  assert.ok(!selection.$from.parent.inlineContent, "between blocks");
  const { type } = selection.$from.parent;
  const own = line("own", "…");
  tr.insert(selection.from, type.name === "bulletList" ? schema.node("listItem", { id: "iown" }, [own]) : own);
  return shown(tr.doc, 0);
}

const start = page(line("a", "Start"), line("m", "Middle words"), line("z", "End"));

test("LIVE17 a caret stays in its line when others move it, turn it into something else or wrap it", () => {
  const moved = page(line("m", "Middle words"), line("a", "Start"), line("z", "End"));
  assert.equal(after(start, moved, "Middle"), "Middle| words / Start / End");
  const heading = page(line("a", "Start"), line("m", "Middle words", "heading"), line("z", "End"));
  assert.equal(after(start, heading, "Middle words"), "Start / Middle words| / End");
  const wrapped = page(line("a", "Start"), list("l", line("m", "Middle words")), line("z", "End"));
  assert.equal(after(start, wrapped, "Middle"), "Start / Middle| words / End");
});

test("LIVE17 a caret goes along with the part of its line that others split off or join to the line before", () => {
  const split = page(line("a", "Start"), line("m", "Middle"), line("n", " words"), line("z", "End"));
  assert.equal(after(start, split, "Middle words"), "Start / Middle /  words| / End");
  assert.equal(after(start, split, "Mid"), "Start / Mid|dle /  words / End");
  // A letter was on its way: it stays where the line ends now, what follows it does not.
  const typed = page(line("a", "Start"), line("m", "Middle words "), line("z", "End"));
  const apart = page(line("a", "Start"), line("m", "Middle "), line("n", " words"), line("z", "End"));
  assert.equal(after(typed, apart, "Middle words "), "Start / Middle  /  words| / End");
  const joined = page(line("a", "StartMiddle words"), line("z", "End"));
  assert.equal(after(start, joined, "Middle"), "StartMiddle| words / End");
});

test("LIVE17 a caret finds its line again when a program writes the page anew, also with more in it", () => {
  const anew = page(line("1", "Start!"), line("2", "Middle words"), line("3", "End"));
  assert.equal(after(start, anew, "Middle"), "Start! / Middle| words / End");
  assert.equal(after(start, page(line("1", "Middle words"), line("2", "Middle words")), "Middle"), "gone");
  const more = page(line("1", "Start!"), line("2", "The Middle words are more"), line("3", "Middle"));
  assert.equal(after(start, more, "Middle words"), "Start! / The Middle words| are more / Middle");
  assert.equal(after(start, page(line("1", "Mid and word")), "Middle"), "gone");
});

test("LIVE17 a caret stays between its letters when others write before, behind and at it, also in other items of its list", () => {
  const now = page(line("a", "Start"), line("m", "In the Middle words"), line("z", "End"));
  assert.equal(after(start, now, "Middle"), "Start / In the Middle| words / End");
  const atIt = page(line("a", "Start"), line("m", "Middle of words"), line("z", "End"));
  assert.equal(after(start, atIt, "Middle"), "Start / Middle| of words / End");
  const items = page(list("l", line("a", "One"), line("m", "Two"), line("z", "Three")));
  const both = page(list("l", line("a", "One!"), line("m", "Two"), line("z", "Three!")));
  assert.equal(after(items, both, "T"), "One! / T|wo / Three!");
  assert.equal(after(start, page(line("a", "Start"), line("z", "End")), "Middle"), "gone");
});

test("LIVE17 a caret goes along with what others left of its line when they joined it, also with letters on their way", () => {
  const cut = page(line("a", "Stddle words"), line("z", "End"));
  assert.equal(after(start, cut, "Middle"), "Stddle| words / End");
  assert.equal(after(start, cut, "M"), "St|ddle words / End");
  const middle = page(line("a", "Stiddle wd"));
  assert.equal(after(start, middle, "Middle words"), "Stiddle w|d");
  const typed = page(line("a", "Start"), line("b", "More"), line("m", "Middle words again"), line("z", "End"));
  const joined = page(line("a", "StartMoreMiddle words"), line("z", "End"));
  assert.equal(after(typed, joined, "Middle words again"), "StartMoreMiddle words| / End");
  const rewritten = page(line("a", "Stood"), line("z", "End"));
  assert.equal(after(start, rewritten, "Middle"), "gone");
});

test("LIVE17 where a line is gone, what is typed on is a line of its own between those that are left", () => {
  const lines = page(line("a", "One"), line("b", "Two"), line("m", "Mine"), line("y", "Three"), line("z", "Four"));
  const fewer = page(line("a", "One"), line("z", "Four!"));
  assert.equal(typedOn(lines, fewer, "Mine"), "One / … / Four!");
  assert.equal(typedOn(lines, page(line("z", "Four")), "Mine"), "… / Four");
  const items = page(list("l", line("a", "One"), line("b", "Two"), line("m", "Mine"), line("y", "Three")));
  assert.equal(typedOn(items, page(list("l", line("a", "One"), line("b", "Twree"))), "Mine"), "One / Twree / …");
});

test("LIVE17 a caret goes along with the words that were on their way into a line that others deleted", () => {
  const typed = page(line("a", "Start"), line("m", "Middle words of mine"), line("z", "End"));
  const kept = page(line("a", "Start"), line("n", " of mine"), line("z", "End"));
  assert.equal(after(typed, kept, "Middle words of mine"), "Start /  of mine| / End");
  assert.equal(after(typed, kept, "Middle"), "gone");
});
