/** Builds the Tiptap kit as it is published: JavaScript with declarations, and what it uses of the document model. */
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { publishedName, withPublishedNames } from "./pack/published.ts";

const root = resolve(import.meta.dirname, "..");
const kit = join(root, "packages/tiptap-kit");
const DOCUMENT = "@svc/document";

/** The editor's own code uses these too: there may be only one of each. All of Tiptap has to be of one version. */
const SHARED = ["@tiptap/core", "@tiptap/pm"];

/** The fields of the published package.json; the others belong to the workspace. */
function manifest(): object {
  const { name, version, description, license, type, sideEffects, devDependencies } = JSON.parse(
    readFileSync(join(kit, "package.json"), "utf8"),
  );
  const others = Object.entries<string>(devDependencies).filter(([other]) => other !== DOCUMENT);
  const pick = (isShared: boolean) =>
    Object.fromEntries(others.filter(([other]) => SHARED.includes(other) === isShared));
  return {
    ...{ name: publishedName(name), version, description, license, type, sideEffects },
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    dependencies: pick(false),
    peerDependencies: pick(true),
  };
}

/** The same code with relative imports of what is in the package. */
function withOwnImports(text: string, file: string): string {
  const toDocument = posix.relative(posix.dirname(file), "document") || ".";
  const prefix = toDocument.startsWith(".") ? toDocument : `./${toDocument}`;
  return text
    .replaceAll(
      /(from ")@svc\/document\/([^"]*)"/g,
      (_all, from: string, path: string) => `${from}${prefix}/${path}.js"`,
    )
    .replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
}

export function buildKit(out: string): void {
  rmSync(out, { recursive: true, force: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const made = mkdtempSync(join(dirname(out), "kit-"));
  const options = ["-p", join(kit, "tsconfig.build.json"), "--outDir", made];
  execFileSync(process.execPath, [compiler, ...options], { stdio: "inherit" });
  renameSync(join(made, "tiptap-kit/src"), out);
  renameSync(join(made, "document/src"), join(out, "document"));
  rmSync(made, { recursive: true });
  for (const path of globSync("**/*.{js,d.ts}", { cwd: out })) {
    const file = join(out, path);
    writeFileSync(file, withOwnImports(readFileSync(file, "utf8"), relative(out, file)));
  }
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  writeFileSync(join(out, "README.md"), withPublishedNames(readFileSync(join(kit, "README.md"), "utf8")));
  copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));
}

if (import.meta.main) buildKit(resolve(process.argv[2] ?? join(kit, "dist")));
