/**
 * Bundles the browser's scripts: each `src/browser/islands/<name>.ts` becomes `static/islands/<name>.js`. `npm ci` runs this
 * file; `npm start` and the browser tests call `ensureIslands`, which builds only what is missing or out of date.
 */
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Plugin } from "esbuild";

const root = resolve(import.meta.dirname, "../../..");
const folder = join(import.meta.dirname, "..");
const out = join(folder, "static/islands");
/** Names the sources of the last build, so that a changed one is noticed. */
const inputsFile = join(out, ".inputs");

const require = createRequire(import.meta.url);
/** The scripts of the interface font: each is a file of its own, which a browser loads for the letters it covers. */
const SCRIPTS = ["latin", "latin-ext", "cyrillic", "greek", "vietnamese"];

/** Files of others that must stay as they are: Mermaid puts itself on the global object. */
const copied: Readonly<Record<string, string>> = {
  "mermaid.js": "@mermaid-js/tiny",
  ...Object.fromEntries(
    SCRIPTS.map((name) => [`inter-${name}.woff2`, `@fontsource-variable/inter/files/inter-${name}-wght-normal.woff2`]),
  ),
};

/** The browser has the table of character references already: 10 KB less in each script that reads HTML. */
const ownEntities: Plugin = {
  name: "own-entities",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^entities$/ }, () => ({ path: join(folder, "src/browser/decode-entities.ts") }));
  },
};

const entries = (): string[] => globSync("src/browser/islands/*.ts", { cwd: folder }).sort();

export async function buildIslands(): Promise<void> {
  if (entries().length === 0) return;
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries(),
    outdir: out,
    outbase: "src/browser/islands",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    metafile: true,
    plugins: [ownEntities],
    logLevel: "error",
  });
  const inputs = Object.keys(metafile.inputs).filter((input) => !input.includes("node_modules/"));
  mkdirSync(out, { recursive: true });
  for (const [name, file] of Object.entries(copied)) copyFileSync(require.resolve(file), join(out, name));
  writeFileSync(inputsFile, inputs.join("\n"));
}

/** Whether every island is there and newer than its sources. Without sources (a packed release) being there is enough. */
function areCurrent(): boolean {
  if (!existsSync(inputsFile)) return false;
  const built = statSync(inputsFile).mtimeMs;
  const isBuilt = (entry: string) => existsSync(join(out, entry.replace(/^.*\//, "").replace(/ts$/, "js")));
  const sources = [...readFileSync(inputsFile, "utf8").split("\n"), join(root, "package-lock.json")];
  const isOlder = (source: string) => {
    const path = resolve(folder, source);
    return !existsSync(path) || statSync(path).mtimeMs <= built;
  };
  return [...entries(), ...Object.keys(copied)].every(isBuilt) && sources.every(isOlder);
}

export async function ensureIslands(): Promise<void> {
  if (!areCurrent()) await buildIslands();
}

if (process.argv[1] === import.meta.filename) await buildIslands();
