import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf } from "./site.ts";
import { siteHome } from "./site-pages.ts";

const folder = (id: number, parent_id: number | null, name: string) => ({
  id,
  parent_id,
  name,
  child_order: "name" as const,
  created_at: 1,
});
const page = (id: string, folder_id: number, title: string) => ({ id, folder_id, title });

test("SHARE9 the tree of a site has folders first, each by name, and what is in them below", () => {
  const folders = [folder(1, null, "Top"), folder(2, 1, "Part 10"), folder(3, 1, "Part 2")];
  const pages = [page("a", 1, "Alone"), page("b", 2, "Below"), page("c", 3, "Chapter")];
  assert.deepEqual(
    linesOf(1, folders, pages, new Map()).map(({ depth, title }) => `${depth} ${title}`),
    ["0 Part 2", "1 Chapter", "0 Part 10", "1 Below", "0 Alone"],
  );
});

test("SHARE9 of a very long tree the first thousand lines are shown, and how many more there are", () => {
  const pages = Array.from({ length: 5000 }, (_, index) => page(`doc_${index}`, 1, `Page ${index}`));
  const lines = linesOf(1, [folder(1, null, "Top")], pages, new Map());
  assert.deepEqual([lines.length, lines.at(-1)?.title], [1000, "Page 999"]);
  const shared = {
    id: 1,
    name: "Top",
    workspace_id: "w",
    knowledge_base_id: 1,
    parent_id: null,
    index_document_id: null,
  };
  const site = {
    folder: { ...shared, child_order: "name" as const, created_at: 1, updated_at: 1 },
    lines,
    lineCount: 5000,
    titles: new Map(),
  };
  assert.match(String(siteHome("token", site).html), /And 4000 more: search finds them\./);
});
