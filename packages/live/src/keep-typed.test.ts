import assert from "node:assert/strict";
import { test } from "node:test";
import { li, p, ul } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import { keepTyped } from "./keep-typed.ts";

const withIds = (node: Node, id: string): Node => ({
  ...node,
  attrs: { ...node.attrs, id },
  ...(node.content?.some(({ type }) => type !== "text") && {
    content: node.content.map((child, i) => withIds(child, `${id}.${i}`)),
  }),
});
const line = (text: string): Node => withIds(p(text), "a");
const textOf = (node: Node): string => node.text ?? (node.content ?? []).map(textOf).join("");

/** A write to a paragraph that somebody has been typing in: what each fold made of it, and what the writer sends. */
function write(states: readonly string[], sent: string): string | undefined {
  const earlier = states.slice(0, -1).map((text) => ({ block: line(text), isTyped: true }));
  const before = [line(states.at(-1) ?? "")];
  const kept = keepTyped({ before, after: [line(sent)], earlier: new Map([["a", earlier]]) });
  return kept?.map(textOf).join();
}

const OPEN = "Our office is open from nine to five every day.";

test("LIVE30 words typed since the writer read the line stay, at their place", () => {
  const typed = [OPEN, `${OPEN} Please ri`, `${OPEN} Please ring the bell`];
  assert.equal(
    write(typed, "The Berlin office is open from nine to five, Monday to Friday."),
    "The Berlin office is open from nine to five, Monday to Friday. Please ring the bell",
  );
  assert.equal(
    write(typed, OPEN.replace("Our", "The Berlin")),
    `${OPEN.replace("Our", "The Berlin")} Please ring the bell`,
  );
  assert.equal(
    write(typed, `The Berlin ${OPEN.slice(4)} Please ri`),
    `The Berlin ${OPEN.slice(4)} Please ring the bell`,
  );
});

test("LIVE30 a writer who has seen the typed words changes the line around them", () => {
  const typed = ["", "Hel", "Hello wor", "Hello world"];
  assert.equal(write(typed, "Hello world and all."), "Hello world and all.");
  assert.equal(write(typed, "Oh, Hello world"), "Oh, Hello world");
});

test("LIVE30 a typed word is never removed, and two changes of the same words are not mixed", () => {
  assert.equal(write(["", "Hel", "Hello wrold"], "Hello world"), undefined);
  assert.equal(write(["A colour.", "A colourful thing."], "A hue."), undefined);
  assert.equal(write([OPEN, OPEN.replace("nine", "nine or ten")], "Closed for good."), undefined);
  assert.equal(write([OPEN, `${OPEN} More.`], ""), " More.");
});

test("LIVE30 words that somebody took out stay out", () => {
  assert.equal(
    write([OPEN, "Our office is open every day."], OPEN.replace("Our", "The")),
    "The office is open every day.",
  );
});

test("LIVE30 a program's own words may go again", () => {
  const earlier = [
    { block: line("One."), isTyped: true },
    { block: line("One. typed"), isTyped: false },
  ];
  const before = [line("One. typed And much from a program.")];
  const after = [line("One. typed And little.")];
  assert.deepEqual(keepTyped({ before, after, earlier: new Map([["a", earlier]]) })?.map(textOf), [
    "One. typed And little.",
  ]);
});

test("LIVE30 of a list each line is merged by itself", () => {
  const list = (...texts: string[]) => withIds(ul(...texts.map((text) => li(p(text)))), "a");
  const earlier = new Map([["a", [{ block: list("One.", "Two."), isTyped: true }]]]);
  const before = [list("One. typed", "Two. typed")];
  const kept = keepTyped({ before, after: [list("First.", "Two. typed")], earlier });
  assert.deepEqual(
    kept?.flatMap(({ content = [] }) => content.map(textOf)),
    ["First. typed", "Two. typed"],
  );
  assert.equal(keepTyped({ before, after: [list("One. typed")], earlier }), undefined);
  assert.equal(keepTyped({ before, after: [], earlier }), undefined);
});

test("LIVE30 typed words may go to another block", () => {
  const earlier = new Map([["b", [{ block: withIds(p("Two."), "b"), isTyped: true }]]]);
  const before = [line("One."), withIds(p("Two. typed"), "b")];
  const after = [line("One. Two. typed")];
  assert.equal(keepTyped({ before, after, earlier }), after);
});

test("LIVE31 after a program replaced the typed words on purpose, any write may replace that again", () => {
  const earlier = [
    { block: line(OPEN), isTyped: true },
    { block: line(`${OPEN} Please ring.`), isTyped: false },
  ];
  const before = [line("The Berlin office is open.")];
  const kept = keepTyped({ before, after: [line("Again.")], earlier: new Map([["a", earlier]]) });
  assert.deepEqual(kept?.map(textOf), ["Again."]);
});
