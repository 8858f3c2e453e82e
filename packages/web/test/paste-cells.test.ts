import assert from "node:assert/strict";
import { test } from "node:test";
import { documentKit } from "@svc/tiptap-kit/kit";
import { getSchema } from "@tiptap/core";
import { type Node as EditorNode, Fragment, Slice } from "@tiptap/pm/model";
import { EditorState, TextSelection, type Transaction } from "@tiptap/pm/state";
import { CellSelection, TableMap } from "@tiptap/pm/tables";
import { pasteCells } from "../src/browser/editor/clipboard/paste-cells.ts";

const schema = getSchema(documentKit());

/** A cell as `text` or `text:columns×rows`; a head cell begins with a star. */
function cell(text: string): EditorNode {
  const [words = "", span = "1×1"] = text.split(":");
  const [colspan, rowspan] = span.split("×").map(Number);
  const said = words.replace("*", "");
  const line = schema.node("paragraph", null, said === "" ? [] : [schema.text(said)]);
  return schema.node(words.startsWith("*") ? "tableHeader" : "tableCell", { colspan, rowspan }, [line]);
}

const table = (...rows: readonly string[]): EditorNode =>
  schema.node(
    "table",
    null,
    rows.map((row) => schema.node("tableRow", null, row === "" ? [] : row.split(" ").map(cell))),
  );

/** The rows of a square table, in the words of `cell`. */
function shown(doc: EditorNode): string[] {
  let found: EditorNode | undefined;
  doc.descendants((node) => {
    if (node.type.name === "table") found = node;
  });
  assert.ok(found);
  const { problems, map } = TableMap.get(found);
  assert.equal(problems, null);
  assert.ok(map.every((place) => place > 0));
  doc.check();
  return Array.from({ length: found.childCount }, (_, y) =>
    (found?.child(y).children ?? [])
      .map(({ type, attrs, textContent }) => {
        const span = attrs.colspan * attrs.rowspan > 1 ? `:${attrs.colspan}×${attrs.rowspan}` : "";
        return `${type.name === "tableHeader" ? "*" : ""}${textContent || "."}${span}`;
      })
      .join(" "),
  );
}

const placeOf = (doc: EditorNode, text: string): number => {
  let place = -1;
  doc.descendants((node, position) => {
    if (node.isText && node.text === text) place = position;
  });
  return place;
};

/** The page after pasting rows at the cell with this text, or over the cells from it to another one. */
function pasted(doc: EditorNode, rows: EditorNode, from: string, to?: string): string[] {
  let state = EditorState.create({ doc });
  const cellAt = (text: string) => state.doc.resolve(placeOf(doc, text) - 2);
  const selection = to ? new CellSelection(cellAt(from), cellAt(to)) : TextSelection.create(doc, placeOf(doc, from));
  state = state.apply(state.tr.setSelection(selection));
  const slice = new Slice(Fragment.from(rows), 0, 0);
  const dispatch = (tr: Transaction) => {
    state = state.apply(tr);
  };
  assert.ok(pasteCells({ state, dispatch }, slice));
  return shown(state.doc);
}

const page = (...blocks: readonly EditorNode[]) => schema.node("doc", null, [schema.node("paragraph"), ...blocks]);

test("EDIT16 pasted cells fill a table from the caret on, and it grows as they need", () => {
  const doc = page(table("*a *b", "*c d"));
  assert.deepEqual(pasted(doc, table("1 2", "3 4"), "d"), ["*a *b *.", "*c 1 2", "*. 3 4"]);
});

test("EDIT16 merged cells that reach over an edge of what is pasted keep their text and end there", () => {
  const wide = page(table("a b c g", "d e:2×2 f", "h i"));
  assert.deepEqual(pasted(wide, table("1", "2"), "c"), ["a b 1 g", "d e:1×2 2 f", "h . i"]);
  assert.deepEqual(pasted(wide, table("1 2", "3 4"), "h"), ["a b c g", "d e:2×1 f", "1 2 . i", "3 4 . ."]);
  assert.deepEqual(pasted(wide, table("1 2 3"), "d"), ["a b c g", "1 2 3 f", "h . . i"]);
  const tall = page(table("*a b:1×3", "*c", "*d"));
  assert.deepEqual(pasted(tall, table("1 2"), "c"), ["*a b", "1 2", "*d ."]);
});

test("EDIT16 merged cells are pasted as they are, and cut where they repeat beyond the selected cells", () => {
  const doc = page(table("a b c", "d e f", "g h i"));
  const merged = table("1 2:1×2", "3");
  assert.deepEqual(pasted(doc, merged, "e"), ["a b c", "d 1 2:1×2", "g 3"]);
  assert.deepEqual(pasted(doc, merged, "a", "i"), ["1 2:1×2 1", "3 3", "1 2 1"]);
  assert.deepEqual(pasted(doc, table("1:2×2", ""), "a", "i"), ["1:2×2 1:1×2", "", "1:2×1 1"]);
  assert.deepEqual(pasted(doc, table("1 2", "3 4"), "b", "c"), ["a 1 2", "d 3 4", "g h i"], "none is left out");
});

test("EDIT16 text that is pasted over selected cells stands in each of them", () => {
  const doc = page(table("a b", "c d"));
  assert.deepEqual(pasted(doc, schema.node("paragraph", null, schema.text("x")), "b", "d"), ["a x", "c x"]);
});

test("EDIT16 cells are pasted into a table in a table", () => {
  const inner = table("x y:1×2", "z");
  const outer = schema.node("table", null, [
    schema.node("tableRow", null, [cell("a"), schema.node("tableCell", null, [schema.node("paragraph"), inner])]),
  ]);
  assert.deepEqual(pasted(page(outer), table("1 2"), "z"), ["x y", "1 2"]);
});
