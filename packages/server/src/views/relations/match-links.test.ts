import assert from "node:assert/strict";
import { test } from "node:test";
import { matchLinks } from "./match-links.ts";
import type { LinkRow } from "./store.ts";
import type { WantedLink } from "./wanted-links.ts";

const wanted = (block: string, target: string, anchor: string, top = block): WantedLink => ({
  source_block_id: block,
  top_block_id: top,
  target_uri: target,
  target_document_id: target,
  target_block_id: null,
  via: "",
  anchor_text: anchor,
});

const stored = (id: string, link: WantedLink): LinkRow => ({
  ...link,
  workspace_id: "w",
  id,
  document_id: "d",
  created_by: "u",
  created_at: 1,
});

const ids = (rows: readonly LinkRow[]) => rows.map((row) => row.id);

test("REL3 what is stored already is left alone", () => {
  const links = [wanted("b", "x", "one"), wanted("b", "x", "one"), wanted("c", "x", "one")];
  const rows = links.map((link, index) => stored(String(index), link));
  assert.deepEqual(matchLinks(rows, links.toReversed()), { added: [], updated: [], removed: [] });
});

test("REL3 an edited text and a moved block keep the relation", () => {
  const rows = [stored("1", wanted("b", "x", "old")), stored("2", wanted("c", "x", "same"))];
  const matched = matchLinks(rows, [wanted("b", "x", "new"), wanted("c", "x", "same", "list")]);
  assert.deepEqual([ids(matched.updated).sort(), matched.added, matched.removed], [["1", "2"], [], []]);
  assert.equal(matched.updated.find((row) => row.id === "2")?.top_block_id, "list");
});

test("REL3 of several equal targets the one with the same text stays", () => {
  const rows = [stored("1", wanted("b", "x", "first")), stored("2", wanted("b", "x", "second"))];
  const matched = matchLinks(rows, [wanted("b", "x", "second")]);
  assert.deepEqual([ids(matched.updated), ids(matched.removed), matched.added], [[], ["1"], []]);
});

test("REL3 another target or another block is another relation", () => {
  const rows = [stored("1", wanted("b", "x", "text"))];
  const links = [wanted("b", "y", "text"), wanted("c", "x", "text")];
  const matched = matchLinks(rows, links);
  assert.deepEqual([ids(matched.removed), matched.added], [["1"], links]);
});
