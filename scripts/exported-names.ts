/** Finds exported names that no other file imports. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface) ([A-Za-z_$][\w$]*)/gm;
const LISTED = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*"([^"]+)"/gm;
/** `import * as name`, `export *`, `import("…")` and `new URL("…")` use all that a file exports. */
const WHOLE =
  /(?:(?:import|export)\s+(?:type\s+)?\*[^"'\n]*from\s*|\bimport\(\s*|\bnew URL\(\s*|^import\s+)["'`]([^"'`]+)["'`]/gm;

/** Files whose exports are for others than this repository, or are found by their place. */
const isOpen = (file: string): boolean =>
  /^packages\/(?:sdk|tiptap-kit)\/src\/index\.ts$/.test(file) ||
  /^packages\/sdk\/src\/generated\//.test(file) ||
  file === "scripts/sdk-types.ts" ||
  // The build puts it in place of a package.
  file === "packages/web/src/browser/decode-entities.ts" ||
  /^packages\/web\/src\/browser\/islands\/[^/]+\.ts$/.test(file) ||
  /^packages\/cli\/src\/(?:commands|administration)\//.test(file);

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(file), specifier));
  const own = /^@svc\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  return own ? `packages/${own[1]}/src/${own[2] ?? "index"}.ts` : undefined;
}

/** The name in the file that exports it: what stands before `as`, without `type`. */
const originalName = (listed: string): string =>
  listed
    .trim()
    .replace(/^type /, "")
    .replace(/ as .*$/, "");

/** `file: name` of each export that is used in its own file alone, or nowhere. */
export function unusedExports(root: string): string[] {
  const files = globSync("{packages/*/{src,test,e2e},scripts,bench}/**/*.ts", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.includes("/node_modules/"))
    .sort();
  const used = new Set<string>();
  const exported: { readonly file: string; readonly name: string }[] = [];
  for (const file of files) {
    const code = readFileSync(join(root, file), "utf8");
    for (const [, names = "", specifier = ""] of code.matchAll(LISTED))
      for (const name of names.split(",")) used.add(`${targetOf(file, specifier)}: ${originalName(name)}`);
    for (const [, specifier = ""] of code.matchAll(WHOLE)) used.add(`${targetOf(file, specifier)}: *`);
    if (!isOpen(file) && !file.endsWith(".test.ts"))
      for (const [, name = ""] of code.matchAll(DECLARED)) exported.push({ file, name });
  }
  return exported
    .filter(({ file, name }) => !used.has(`${file}: ${name}`) && !used.has(`${file}: *`))
    .map(({ file, name }) => `${file}: ${name}`);
}
