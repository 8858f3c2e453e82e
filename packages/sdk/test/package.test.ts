import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { defined } from "@svc/document/defined";
import { buildSdk } from "../../../scripts/sdk-build.ts";
import { Stage } from "./support/stage.ts";

const root = resolve(import.meta.dirname, "../../..");
const compiler = join(root, "node_modules/typescript/bin/tsc");

/** The code in a README, as one program. */
const examplesOf = (readme: string): string =>
  [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join("\n");

describe("the published package", () => {
  const stage = new Stage();
  const work = mkdtempSync(join(tmpdir(), "svc-sdk-"));
  const [built, user] = [join(work, "built"), join(work, "user")];
  const installed = join(user, "node_modules/@svc-kb/sdk");
  let packed: string[] = [];

  before(async () => {
    buildSdk(built);
    const [{ filename, files }] = JSON.parse(
      execFileSync("npm", ["pack", "--json", "--pack-destination", work], {
        cwd: built,
        stdio: ["ignore", "pipe", "ignore"],
      }).toString(),
    );
    packed = files.map(({ path }: { path: string }) => path);
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(work, filename), "-C", installed, "--strip-components=1"]);
    await stage.start();
  });
  after(async () => {
    await stage.world.stop();
    rmSync(work, { recursive: true });
  });

  test("SDK14 it has code, declarations and a readme, and nothing else", () => {
    const odd = packed.filter(
      (path) => !/^(package\.json|README\.md|LICENSE|(generated\/)?[a-z-]+(\.d\.ts|\.js))$/.test(path),
    );
    assert.deepEqual(odd, []);
    for (const path of ["index.js", "index.d.ts", "generated/api.d.ts", "README.md", "LICENSE"])
      assert.ok(packed.includes(path), path);
    const { exports, dependencies, sideEffects } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    assert.deepEqual(exports, { ".": { types: "./index.d.ts", default: "./index.js" } });
    assert.equal(dependencies, undefined);
    assert.equal(sideEffects, false);
  });

  test("SDK14 it imports nothing but itself", () => {
    for (const file of globSync("**/*.{js,d.ts}", { cwd: installed })) {
      const text = readFileSync(join(installed, file), "utf8");
      for (const [, named, dynamic] of text.matchAll(
        /^(?:import|export)\b(?:[^;"]*\bfrom)? "([^"]+)";|\bimport\("([^"]+)"\)/gm,
      )) {
        const target = named ?? dynamic;
        assert.match(defined(target), /^\.\/.*\.js$/, `${file} imports ${target}`);
        const declared = join(dirname(join(installed, file)), defined(target).replace(/\.js$/, ".d.ts"));
        assert.ok(globSync(declared).length === 1, `${file} imports ${target}, which is not there`);
      }
    }
  });

  test("SDK14 a client alone brings neither streams nor files along", () => {
    const seen = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, target] of readFileSync(join(installed, file), "utf8").matchAll(/from "\.\/([^"]+)"/g))
        follow(defined(target));
    };
    follow("client.js");
    for (const file of ["events.js", "upload.js", "download.js", "device-login.js"]) assert.ok(!seen.has(file), file);
  });

  test("the readme's examples compile for Node and for a browser, and run as printed", async () => {
    const printed = examplesOf(readFileSync(join(installed, "README.md"), "utf8"));
    const code = printed
      .replaceAll("https://svc.example.com", stage.world.url)
      .replace("svc_tok_…", stage.person.token);
    assert.ok(code.includes(stage.person.token));
    writeFileSync(join(user, "package.json"), '{ "type": "module" }');
    writeFileSync(join(user, "example.ts"), `${code}\nexport const done = [page, job, signIn];\n`);
    const strict = ["--strict", "--target", "esnext", "--module", "nodenext", "--skipLibCheck", "false"];
    const node = ["--lib", "esnext", "--types", "node", "--typeRoots", join(root, "node_modules/@types")];
    const browser = ["--lib", "esnext,dom,dom.iterable,dom.asynciterable", "--types", ""];
    for (const environment of [node.slice(0, 2).concat("--skipLibCheck", "true", ...node.slice(2)), browser])
      execFileSync(process.execPath, [compiler, ...strict, ...environment, "example.ts"], { cwd: user, stdio: "pipe" });
    const said: string[] = [];
    const log = console.log;
    console.log = (...words: unknown[]) => void said.push(words.join(" "));
    try {
      await import(pathToFileURL(join(user, "example.js")).href);
    } finally {
      console.log = log;
    }
    for (const line of ["Hello Ada", "There is no such document.", "document.deleted Start here", "6 Hello!"])
      assert.ok(said.includes(line), `${line} is not among ${said.join(" | ")}`);
  });
});
