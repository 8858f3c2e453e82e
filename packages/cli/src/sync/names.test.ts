import assert from "node:assert/strict";
import { test } from "node:test";
import { conflictFile, folded, freeFile, isConflictFile, isGitFolder, safeName } from "./names.ts";

test("SYNC3 a title becomes a name that every system takes", () => {
  const names: Record<string, string> = {
    "Plain title": "Plain title",
    "../../etc/passwd": "_._.._etc_passwd",
    'a/b\\c:d*e?f"g<h>i|j': "a_b_c_d_e_f_g_h_i_j",
    ".svc-sync": "_svc-sync",
    "..": "_",
    "ends with dots. . ": "ends with dots",
    con: "_con",
    "LPT1.backup": "_LPT1.backup",
    "note.conflict-abc": "note_conflict-abc",
    "   ": "_",
    "a\u202etxt.exe": "atxt.exe",
    "\u200c.g\u200dit": "_git",
    ".GIT": "_GIT",
    "Git~1": "git_1",
    "GI\u200bT~12. ": "git_12",
  };
  for (const [title, name] of Object.entries(names)) assert.equal(safeName(title), name, title);
  assert.ok(Buffer.byteLength(safeName("字".repeat(500))) <= 200);
});

test("SYNC3 equal names get numbers, also where case makes no difference", () => {
  const taken = new Set(["title.md", "title (2).md"]);
  assert.equal(
    freeFile("", "Title", (path) => taken.has(folded(path))),
    "Title (3).md",
  );
  assert.equal(
    freeFile("Folder", "Title", (path) => taken.has(folded(path))),
    "Folder/Title.md",
  );
});

test("SYNC5 a conflict's file is known by its name, and no document's file is", () => {
  const path = conflictFile("Folder/Note.md", `sha256:${"ab".repeat(32)}`, 1);
  assert.equal(path, "Folder/Note.conflict-abababababab.md");
  assert.ok(isConflictFile(path) && isConflictFile(conflictFile("Note.md", "sha256:ab", 2)));
  assert.ok(!isConflictFile(`${safeName("Note.conflict-ab")}.md`));
});

test("SYNC3 the folder of Git is known under every name that a file system takes for it", () => {
  for (const name of [".git", ".GIT", ".g\u200cit", "git~1", "GIT~12", ".git. ", ".git::$INDEX_ALLOCATION"])
    assert.ok(isGitFolder(name), name);
  for (const name of [".gitignore", "git", "git~", "git~1.md", "digit~1"]) assert.ok(!isGitFolder(name), name);
});
