import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyBatch, parseOperations } from "../blocks/batch.ts";
import { DocumentError } from "../errors.ts";
import { parseMarkdown } from "../markdown/parse.ts";
import { serialiseBlock, serialiseBody } from "../markdown/serialise.ts";
import { realFiles } from "../markdown/testing/real-files.ts";
import { splitReadable } from "../properties/front-matter.ts";
import { normaliseBody } from "../schema/normalise.ts";
import { allIds } from "../testing/all-ids.ts";
import { countingIds } from "../testing/builders.ts";
import type { Body } from "../types.ts";
import { type EditOf, edits, pages, wholeLines } from "./testing/random-edits.ts";

const RUNS = Number(process.env.SVC_TEST_EDITS ?? 1500);
const SEED = Number(process.env.SVC_TEST_SEED ?? 47);

const bodyOf = (markdown: string): Body =>
  normaliseBody({ type: "doc", content: parseMarkdown(markdown) }, countingIds(1));
const textOf = ({ content }: Body): string => serialiseBody(content).text;
/** The Markdown of a page that was written from this text. */
const written = (markdown: string): string => serialiseBody(parseMarkdown(markdown)).text;

const occursOnce = (text: string, part: string): boolean => part !== "" && text.split(part).length === 2;

/** The body after edits of its text, or the code of the refusal. */
function edited(body: Body, operations: readonly { readonly old: string; readonly new: string }[]): Body | string {
  const sent = operations.map((edit) => ({ op: "edit_markdown", old: edit.old, new: edit.new }));
  try {
    return applyBatch(body, parseOperations(sent), countingIds(100_000), { maxCharacters: 1_000_000 }).body;
  } catch (error) {
    if (error instanceof DocumentError) return error.code;
    throw error;
  }
}

/** Blocks that are at least one block away from the edit are the very same, those of a list beside it keep their ids. */
function assertUntouched(before: Body, after: Body, text: string, old: string): void {
  const [kept, ids] = [new Set(after.content), new Set(allIds(after))];
  const from = text.indexOf(old);
  let at = 0;
  for (const block of before.content) {
    const start = text.indexOf(serialiseBlock(block).text, at);
    at = start + serialiseBlock(block).text.length;
    if (at + 2 >= from && start <= from + old.length + 2) continue;
    if (/List$/.test(block.type))
      for (const id of allIds({ type: "doc", content: block.content ?? [] })) assert.ok(ids.has(id));
    else assert.ok(kept.has(block) || /footnote/.test(block.type), `${JSON.stringify(old)} touched another block`);
  }
}

interface Tally {
  accepted: number;
  refused: number;
}

function tryEdit(body: Body, editOf: EditOf, tally: Tally): void {
  const text = textOf(body);
  const edit = editOf(text);
  if (!occursOnce(text, edit.old)) return;
  const after = edited(body, [edit]);
  if (typeof after === "string") {
    assert.equal(after, "edit_changes_structure");
    tally.refused++;
    return;
  }
  tally.accepted++;
  assert.equal(textOf(after), written(text.replace(edit.old, () => edit.new)));
  assertUntouched(body, after, text, edit.old);
}

test("BLK24 an edit gives the page that the replaced Markdown is read as, and touches no other block", () => {
  const tally = { accepted: 0, refused: 0 };
  const property = fc.property(pages, edits, (page, editOf) => tryEdit(bodyOf(page), editOf, tally));
  fc.assert(property, { numRuns: RUNS, seed: SEED });
  assert.ok(tally.accepted > 4 * tally.refused, JSON.stringify(tally));
});

test("BLK24 several edits are made one after the other", () => {
  const property = fc.property(pages, fc.array(edits, { minLength: 2, maxLength: 4 }), (page, all) => {
    const body = bodyOf(page);
    let text = textOf(body);
    const operations: { old: string; new: string }[] = [];
    for (const editOf of all) {
      const edit = editOf(text);
      if (!occursOnce(text, edit.old)) continue;
      if (typeof edited(body, [...operations, edit]) === "string") continue;
      operations.push(edit);
      text = written(text.replace(edit.old, () => edit.new));
    }
    if (operations.length === 0) return;
    const after = edited(body, operations);
    assert.ok(typeof after !== "string");
    assert.equal(textOf(after), text);
  });
  fc.assert(property, { numRuns: RUNS / 5, seed: SEED });
});

/** The table rows that a body has, and those of them whose lines the edit names. */
function rowsOf(markdown: string, { old }: { readonly old: string }): { readonly all: number; readonly named: number } {
  const at = markdown.indexOf(old);
  const isNamed = (start: number, line: string) => start < at + old.length && start + line.length >= at;
  let [all, named, start] = [0, 0, 0];
  for (const line of markdown.split("\n")) {
    if (line.startsWith("| ") && !line.startsWith("| ---")) {
      all++;
      if (isNamed(start, line)) named++;
    }
    start += line.length + 1;
  }
  return { all, named };
}

const tableRows = (blocks: Body["content"]): number =>
  blocks.reduce((sum, { type, content = [] }) => sum + (type === "tableRow" ? 1 : tableRows(content)), 0);

/** Whether the replaced text reads a block differently that the edit does not name, or takes rows from a table. */
function changesOthers(body: Body, edit: { readonly old: string; readonly new: string }): boolean {
  const text = textOf(body);
  const replaced = parseMarkdown(text.replace(edit.old, () => edit.new));
  const from = text.indexOf(edit.old);
  const read = replaced.map((block) => serialiseBlock(block).text);
  const stored = body.content.map((block) => serialiseBlock(block).text);
  let at = 0;
  const ends = stored.map((block) => {
    const start = text.indexOf(block.trimEnd(), at);
    at = start + block.trimEnd().length;
    return { start, end: at };
  });
  const before = ends.filter(({ end }) => end <= from).length;
  const after = ends.filter(({ start }) => start >= from + edit.old.length).length;
  const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((x, i) => x === b[i]);
  if (!isSame(stored.slice(0, before), read.slice(0, before))) return true;
  if (after > 0 && !isSame(stored.slice(-after), read.slice(-after))) return true;
  const { all, named } = rowsOf(text, edit);
  return (
    tableRows(replaced) < all - named ||
    rowsOf(
      text.replace(edit.old, () => edit.new),
      edit,
    ).all > tableRows(replaced)
  );
}

test("BLK25 whole-line edits are refused only where they change other text, which is rare", (t) => {
  const tally = { accepted: 0, refused: 0, cut: 0 };
  const property = fc.property(pages, wholeLines, (page, editOf) => {
    const body = bodyOf(page);
    const edit = editOf(textOf(body));
    const refusedBefore = tally.refused;
    tryEdit(body, () => edit, tally);
    if (tally.refused === refusedBefore) return;
    assert.ok(changesOthers(body, edit), `refused without need: ${JSON.stringify([textOf(body), edit])}`);
    if (/```/.test(edit.old + edit.new)) tally.cut++;
  });
  fc.assert(property, { numRuns: RUNS, seed: SEED });
  t.diagnostic(JSON.stringify(tally));
  const { accepted, refused, cut } = tally;
  assert.ok(refused - cut <= 0.02 * (accepted + refused), JSON.stringify(tally));
});

test("BLK24 real files are edited as texts, too", () => {
  const files = realFiles(60, SEED).filter(({ text }) => text.length < 20_000);
  const tally = { accepted: 0, refused: 0 };
  for (const { text } of files) {
    const body = bodyOf(splitReadable(text).body);
    for (const editOf of fc.sample(edits, { numRuns: 8, seed: SEED })) tryEdit(body, editOf, tally);
  }
  assert.ok(tally.accepted > 4 * tally.refused, JSON.stringify(tally));
});
