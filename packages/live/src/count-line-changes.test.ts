import assert from "node:assert/strict";
import { test } from "node:test";
import { sameJson } from "@svc/document/canonical";
import { defined } from "@svc/document/defined";
import { countingIds } from "@svc/document/testing/builders";
import type { Node } from "@svc/document/types";
import * as Y from "yjs";
import { differsInMoreThan } from "./count-line-changes.ts";
import { fold } from "./fold.ts";
import { LiveState } from "./live-state.ts";

const table = (word: string, rows: number): Node => {
  const newId = countingIds();
  const node = (type: string, content: readonly Node[]): Node => ({ type, attrs: { id: newId() }, content });
  const cell = (text: string) => node("tableCell", [node("paragraph", [{ type: "text", text }])]);
  const row = (y: number) => node("tableRow", [cell(`${word} ${y} one`), cell(`${word} ${y} two`), cell("same")]);
  return node(
    "table",
    Array.from({ length: rows }, (_, y) => row(y)),
  );
};
const structs = ({ doc }: LiveState): number =>
  [...doc.store.clients.values()].reduce((sum, own) => sum + own.length, 0);

test("LIVE7 a program replaces a table of very many cells: it is put in anew, and no piece of the old one stays", () => {
  const [before, after] = [table("old", 1200), table("fresh", 1200)];
  const live = LiveState.fromBlocks([before], 1);
  const editor = LiveState.fromUpdates([Y.encodeStateAsUpdate(live.doc)]);
  live.takeChanged();
  live.doc.on("update", (update: Uint8Array) => editor.apply([update]));
  fold(live, {
    base: [before],
    body: [after],
    holderOf: () => undefined,
    rows: [],
    newId: countingIds(),
    isTopLevel: () => true,
    makesLines: false,
  });
  for (const side of [live, editor]) assert.ok(sameJson(side.blocks, [after]));
  const fresh = structs(LiveState.fromBlocks([after], 1));
  assert.ok(structs(editor) < fresh + 50, `${structs(editor)} pieces, ${fresh} for a new table`);
});

test("LIVE2 lines that changed, came or went are counted", () => {
  const [before, after] = [table("old", 5), table("fresh", 5)];
  assert.equal(differsInMoreThan(9, before, after), true);
  assert.equal(differsInMoreThan(10, before, after), false);
  const shorter: Node = { ...before, content: defined(before.content).slice(1) };
  assert.equal(differsInMoreThan(2, before, shorter), true);
  assert.equal(differsInMoreThan(3, before, shorter), false);
  assert.equal(differsInMoreThan(0, before, before), false);
});
