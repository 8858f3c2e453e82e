/**
 * Bundles test files and the programs that they start. Importing the service takes a process 2 s of processor time from
 * its thousand sources and 0.6 s from a bundle, and a test run starts more than a thousand processes.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = resolve(import.meta.dirname, "..");

/** Tests that import the service; those of single modules import little. */
const isBundled = (file: string): boolean => /^packages\/(server|cli|mcp|sdk|web)\/(test|e2e)\//.test(file);

/** The programs that tests and the service start as processes and threads. */
const programs = (): string[] =>
  globSync(
    [
      "packages/{server/src/app/main,cli/src/svc,mcp/test/support/stdio-program}.ts",
      "packages/server/test/support/{dying,second,test,hostile/measured}-server.ts",
      "packages/server/src/**/*-{thread,worker}.ts",
    ],
    { cwd: root, exclude: ["**/*-in-thread.ts"] },
  );

/** A package with files of its own beside its code stays outside. */
const EXTERNAL = [
  ...[
    "@node-rs/argon2",
    "@redocly/*",
    "axe-core",
    "esbuild",
    "mcp-remote",
    "oidc-provider",
    "pg-native",
    "pino",
    "piscina",
  ],
  ...["playwright-core", "typescript"],
];

/** So does one that is imported when it is needed: bundled, a CommonJS one would lose the names that it exports. */
const lazyPackages: Plugin = {
  name: "lazy-packages",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === "dynamic-import" && !path.startsWith("@svc/") ? { path, external: true } : undefined,
    ),
};

/** The bundled file for `file`, a path from the root. */
const placeIn = (folder: string, file: string): string => join(folder, file.replace(/\.ts$/, ".mjs"));

/** A source finds the files beside it where it was written, and threads in the bundle. None that is imported is the program. */
const sourcePlaces = (folder: string, entries: ReadonlySet<string>): Plugin => ({
  name: "source-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(packages\/[^/]+\/(src|test|e2e)|scripts|bench)\/.*\.ts$/ }, ({ path }) => {
      const urlOf = (file: string) => JSON.stringify(pathToFileURL(file).href);
      const threadOf = (whole: string, name: string): string => {
        const file = relative(root, resolve(dirname(path), name));
        return entries.has(file) ? `new URL(${urlOf(placeIn(folder, file))})` : whole;
      };
      const contents = readFileSync(path, "utf8")
        .replace(/new URL\("([^"]+\.ts)", import\.meta\.url\)/g, threadOf)
        .replaceAll("import.meta.main", "false")
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.filename", JSON.stringify(path))
        .replaceAll("import.meta.url", urlOf(path));
      return { contents, loader: "ts" };
    }),
});

/** Answers where each of `files` is to be run from. */
export async function bundleTests(files: readonly string[], folder: string): Promise<readonly string[]> {
  const entries = new Set([...files.filter(isBundled), ...programs()]);
  await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outbase: root,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    external: EXTERNAL,
    plugins: [lazyPackages, sourcePlaces(folder, entries)],
    sourcemap: true,
    sourcesContent: false,
    // For packages that are CommonJS.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    logLevel: "error",
  });
  return files.map((file) => (isBundled(file) ? placeIn(folder, file) : join(root, file)));
}
