import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { layOut } from "../domain/exchange/export/layout.ts";
import { FolderNames, safeName } from "./safe-name.ts";

test("EXP3 hostile titles become names that every file system takes", () => {
  const cases: [string, string][] = [
    ["..", "untitled"],
    ["../../etc/passwd", "-..-etc-passwd"],
    ['a\\b:c*d?e"f<g>h|i', "a-b-c-d-e-f-g-h-i"],
    ["CON", "_CON"],
    ["com1.txt", "_com1.txt"],
    ["name. . .", "name"],
    ["\u202eevil\u0000\r\n", "evil---"],
    ["   ", "untitled"],
    [".g\u200cit", "git"],
    ["Git~1", "Git-1"],
    ["🙂 Grüße", "🙂 Grüße"],
    ["e\u0301", "é"],
  ];
  for (const [title, name] of cases) assert.equal(safeName(title), name.trim(), JSON.stringify(title));
});

test("EXP3 whatever the title, the name is one visible, bounded step", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (title) => {
      const name = safeName(title);
      assert.ok(name.length > 0 && Buffer.byteLength(name) <= 181);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be in it
      assert.doesNotMatch(name, /[\u0000-\u001f<>:"/\\|?*]|^\.|[. ]$/);
      assert.doesNotMatch(name, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      assert.ok(name.isWellFormed());
    }),
    { seed: 20261115, numRuns: 3000 },
  );
});

test("EXP3 equal names, also by case or form, get a number; many equal ones are not slow", () => {
  const names = new FolderNames(["index.md"]);
  assert.equal(names.take("index", [".md", ".json"]), "index (2)");
  assert.equal(names.take("Plan", [".md", ".json"]), "Plan");
  assert.equal(names.take("plan", [".md", ".json"]), "plan (2)");
  assert.equal(names.take("plan.md", [""]), "plan.md (2)");
  assert.equal(names.take("PLAN", [".md", ".json"]), "PLAN (3)");
  const many = new FolderNames([]);
  for (let i = 0; i < 50_000; i++) many.take("same", [".md"]);
  assert.equal(many.take("same", [".md"]), "same (50001)");
});

test("EXP3 folders nested without end still have short paths, each its own", () => {
  const now = { workspace_id: "ws", knowledge_base_id: 1, created_at: 0, updated_at: 0 };
  const plain = { child_order: "name" as const, index_document_id: null };
  const folders = Array.from({ length: 5000 }, (_, i) => ({
    ...now,
    ...plain,
    id: i + 1,
    parent_id: i === 0 ? null : i,
    name: "a rather long name of a folder ".repeat(3),
  }));
  const documents = folders.map((folder) => ({ id: `doc_${folder.id}`, title: "x", folder_id: folder.id }));
  const layout = layOut("Base", folders, documents);
  const paths = [...layout.documents.values()];
  assert.equal(new Set(paths).size, 5000);
  assert.ok(paths.every((path) => Buffer.byteLength(path) < 1000));
});
