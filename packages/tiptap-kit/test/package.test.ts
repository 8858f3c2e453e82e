import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { defined } from "@svc/document/defined";
import { keepAllStored } from "@svc/document/schema/keep-stored";
import { arbitraryBody } from "@svc/document/testing/arbitrary-body";
import { doc, id, p } from "@svc/document/testing/builders";
import type { Body } from "@svc/document/types";
import type { Editor } from "@tiptap/core";
import fc from "fast-check";
import { buildKit } from "../../../scripts/kit-build.ts";
import { bodies } from "../src/testing/bodies.ts";

const root = resolve(import.meta.dirname, "../../..");
const compiler = join(root, "node_modules/typescript/bin/tsc");

type Open = (element: null, opened: Body) => { readonly editor: Editor; readonly save: () => Body };

/** A project that installed only the package and its declared dependencies. */
describe("the published Tiptap kit", () => {
  const work = mkdtempSync(join(tmpdir(), "svc-kit-"));
  const [built, user] = [join(work, "built"), join(work, "user")];
  const installed = join(user, "node_modules/@svc-kb/tiptap-kit");
  let open: Open;

  before(async () => {
    buildKit(built);
    const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", work], {
      cwd: built,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ filename }] = JSON.parse(packed.toString());
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(work, filename), "-C", installed, "--strip-components=1"]);
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      mkdirSync(dirname(join(user, "node_modules", name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(user, "node_modules", name));
    }
    const [, example = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(installed, "README.md"), "utf8")) ?? [];
    writeFileSync(join(user, "package.json"), '{ "type": "module" }');
    writeFileSync(join(user, "example.ts"), example);
    const strict = ["--strict", "--target", "esnext", "--module", "nodenext", "--skipLibCheck", "--types", ""];
    execFileSync(process.execPath, [compiler, ...strict, "example.ts"], { cwd: user, stdio: "pipe" });
    open = (await import(pathToFileURL(join(user, "example.js")).href)).open;
  });
  after(() => rmSync(work, { recursive: true }));

  test("BODY26 it has code, declarations, a readme and a licence, and imports nothing that it does not declare", () => {
    const { dependencies, peerDependencies, license, ...manifest } = JSON.parse(
      readFileSync(join(installed, "package.json"), "utf8"),
    );
    assert.deepEqual([license, manifest.private], ["MIT", undefined]);
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    assert.ok(existsSync(join(installed, "LICENSE")));
    for (const file of globSync("**/*.{js,d.ts}", { cwd: installed }))
      for (const [, target = ""] of readFileSync(join(installed, file), "utf8").matchAll(/\bfrom "([^"]+)"/g)) {
        if (!target.startsWith("."))
          assert.ok(
            declared.some((name) => `${target}/`.startsWith(`${name}/`)),
            target,
          );
        else assert.ok(existsSync(join(installed, dirname(file), target)), `${file} imports ${target}`);
      }
  });

  test("BODY26 a stock Tiptap editor with it opens and saves bodies without a change", () => {
    const samples = fc.sample(arbitraryBody, { seed: 23, numRuns: 100 });
    for (const body of [...Object.values(bodies), ...samples]) {
      const { editor, save } = open(null, body);
      assert.deepEqual(keepAllStored(save().content, body.content), body.content);
      editor.destroy();
    }
  });

  test("BODY26 an edit changes its own block alone, and ids stay", () => {
    const body = doc(id(1, { ...p("One."), attrs: { custom: [1] } }), id(2, p("Two.")));
    const { editor, save } = open(null, body);
    editor.view.dispatch(editor.state.tr.insertText("Now ", 1));
    const [first, second] = save().content;
    const { attrs, content } = defined(first);
    assert.deepEqual([attrs?.id, attrs?.custom, content?.[0]?.text], [id(1, p("")).attrs?.id, [1], "Now One."]);
    assert.equal(second, defined(body.content[1]));
    editor.destroy();
  });
});
