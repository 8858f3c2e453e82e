/** Builds the SDK as it is published: JavaScript with type declarations, and a package.json of its own. */
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const sdk = join(root, "packages/sdk");

/** What npm is to know of the published package; the rest is the workspace's own. */
function manifest(): object {
  const { name, version, description, license, type, sideEffects } = JSON.parse(
    readFileSync(join(sdk, "package.json"), "utf8"),
  );
  const exports = { ".": { types: "./index.d.ts", default: "./index.js" } };
  return { name, version, description, license, type, sideEffects, exports, types: "./index.d.ts" };
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
  copyFileSync(join(sdk, "README.md"), join(out, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));
}

if (import.meta.main) buildSdk(resolve(process.argv[2] ?? join(sdk, "dist")));
