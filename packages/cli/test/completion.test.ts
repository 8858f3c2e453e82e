import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { promisify } from "node:util";
import { SVC } from "../../server/test/support/process.ts";
import { withTerminal } from "./support.ts";

describe("svc completion", () => {
  const context = withTerminal();
  const svc = () => context.terminal;
  before(async () => {
    await svc().json("kb", "create", "Hand book");
    await svc().json("new", "Hand book/Guides/It's here", "--parents");
  });

  const completed = async (...words: string[]) =>
    (await svc().text("__complete", ...words))
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0]);

  test("CMD24 completes commands, subcommands, options and their choices", async () => {
    assert.deepEqual(await completed("wh"), ["whoami"]);
    assert.ok((await completed("")).includes("backup"));
    assert.deepEqual(await completed("kb", "re"), ["rename"]);
    assert.deepEqual(await completed("cat", "--an"), ["--anchors"]);
    assert.deepEqual(await completed("tokens", "create", "--access", ""), ["read_write", "suggest", "read_only"]);
    assert.deepEqual(await completed("kb", "create", ""), []);
    assert.deepEqual(await completed("nonsense", ""), []);
  });

  test("CMD24 completes the names of knowledge bases, folders and documents, step by step", async () => {
    assert.deepEqual(await completed("cat", "hand"), ["Hand book/"]);
    assert.deepEqual(await completed("cat", "--anchors", "Hand\\ book/"), ["Hand book/Guides/"]);
    assert.deepEqual(await completed("cat", "Hand book/Guides/I"), ["Hand book/Guides/It's here"]);
    assert.deepEqual(await completed("cat", "Hand book/Guides/It's"), ["Hand book/Guides/It's here"]);
    assert.deepEqual(await completed("cat", "'Hand book/G"), ["Hand book/Guides/"]);
    assert.deepEqual(await completed("kb", "access", "H"), ["Hand book"]);
    assert.deepEqual(await completed("export", "H"), ["Hand book/"]);
    assert.deepEqual(await completed("export", "Hand book", ""), [":files"]);
    assert.deepEqual(await completed("search", "x", "--in", ""), ["Hand book/"]);
  });

  test("CMD24 without a server there is nothing to complete, and no complaint", async () => {
    const done = await svc().run(["__complete", "cat", ""], { env: { SVC_URL: "http://127.0.0.1:1" } });
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, "", ""]);
  });

  test("CMD24 works in bash, names with spaces included", async () => {
    const bin = join(svc().home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "svc"), `#!/bin/sh\nexec "${process.execPath}" "${SVC}" "$@"\n`);
    chmodSync(join(bin, "svc"), 0o755);
    const script = `source <(svc completion bash)
compopt() { :; }
COMP_WORDS=(svc cat 'Hand\\ book/Gui'); COMP_CWORD=2; _svc; printf '%s\\n' "\${COMPREPLY[@]}"
COMP_WORDS=(svc ro); COMP_CWORD=1; _svc; printf '%s\\n' "\${COMPREPLY[@]}"
complete -p svc`;
    const env = { ...svc().env, PATH: `${bin}:${process.env.PATH}` };
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { env });
    assert.equal(stdout, "Hand\\ book/Guides/\nrollback\ncomplete -F _svc svc\n");
  });

  test("CMD24 there are scripts for zsh and fish too, and for nothing else", async () => {
    assert.match(await svc().text("completion", "zsh"), /^#compdef svc\n/);
    assert.match(await svc().text("completion", "fish"), /complete --command svc/);
    assert.equal((await svc().run(["completion", "csh"])).code, 2);
  });
});
