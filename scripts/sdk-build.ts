/** Builds the SDK as it is published: JavaScript with type declarations, and a package.json of its own. */
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { publishedName, withPublishedNames } from "./pack/published.ts";

const root = resolve(import.meta.dirname, "..");
const sdk = join(root, "packages/sdk");

/** The fields of the published package.json; the others belong to the workspace. */
function manifest(): object {
  const { name, version, description, license, type, sideEffects } = JSON.parse(
    readFileSync(join(sdk, "package.json"), "utf8"),
  );
  const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
  return {
    name: publishedName(name),
    version,
    description,
    license,
    type,
    sideEffects,
    exports,
    types: "./index.d.ts",
  };
}

export function buildSdk(out: string): void {
  rmSync(out, { recursive: true, force: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const options = ["-p", join(sdk, "tsconfig.build.json"), "--outDir", out];
  execFileSync(process.execPath, [compiler, ...options], { stdio: "inherit" });
  // The compiler rewrites imports in code, not in declarations.
  for (const file of globSync("**/*.d.ts", { cwd: out })) {
    const text = readFileSync(join(out, file), "utf8");
    writeFileSync(join(out, file), text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
  rmSync(join(out, "generated/api.js"));
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  writeFileSync(join(out, "README.md"), withPublishedNames(readFileSync(join(sdk, "README.md"), "utf8")));
  copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));
}

if (import.meta.main) buildSdk(resolve(process.argv[2] ?? join(sdk, "dist")));
