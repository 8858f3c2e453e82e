/**
 * Bundles a program as JavaScript, all outputs in one folder. Node strips no types below `node_modules`, a bundle starts
 * in a third of the time, and with the libraries inside it npm installs twenty packages instead of a hundred and sixty.
 */
import { cpSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";

const root = resolve(import.meta.dirname, "../..");
const SOURCE = /\/packages\/[^/]+\/src\/.*\.ts$/;
const PACKAGE_FOLDER = /^.*node_modules\/(@[^/]+\/)?[^/]+/;
/** A file or folder beside a source, named by its address. */
const ADDRESS = /new URL\("([^"]+)", import\.meta\.url\)/g;

const sources = (): string[] => globSync("packages/*/src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] });

/** The sources that others start as threads or processes. */
export function startedSources(): string[] {
  const started = sources().flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(ADDRESS)].flatMap(([, name = ""]) =>
      name.endsWith(".ts") ? join(dirname(file), name) : [],
    ),
  );
  return [...new Set(started)].sort();
}

/**
 * npm installs these: they have native code or files of their own that they read or start, or (yauzl) they are CommonJS
 * that is imported when it is needed, and would lose the names that they export.
 */
export const INSTALLED = ["@node-rs/argon2", "highlight.js", "pino", "piscina", "yauzl"];
/** Never installed: pg asks for it only when it is there. */
const ABSENT = ["pg-native"];

/** For packages that are CommonJS. */
const BANNER = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** Every output is in one folder, whichever source a chunk has come from. Files beside the sources are copied there. */
const addressesInFolder = (folder: string): Plugin => ({
  name: "addresses-in-folder",
  setup: ({ onLoad }) =>
    onLoad({ filter: SOURCE }, ({ path }) => {
      const addressOf = (whole: string, name: string): string => {
        if (name.endsWith(".js")) return whole;
        const target = basename(name);
        if (name.endsWith(".ts")) return `new URL("./${target.replace(/ts$/, "js")}", import.meta.url)`;
        cpSync(resolve(dirname(path), name), join(folder, target), { recursive: true });
        return `new URL("./${target}${name.endsWith("/") ? "/" : ""}", import.meta.url)`;
      };
      return { contents: readFileSync(path, "utf8").replace(ADDRESS, addressOf), loader: "ts" };
    }),
});

/** Puts other code in the place of modules that a packed program does not need. */
const replaced = (modules: ReadonlyMap<RegExp, string>): Plugin => ({
  name: "replaced",
  setup: ({ onResolve, onLoad }) => {
    for (const [filter, contents] of modules) {
      const namespace = `replaced-${filter.source}`;
      onResolve({ filter }, ({ path }) => ({ path, namespace }));
      onLoad({ filter: /./, namespace }, () => ({ contents, loader: "js", resolveDir: root }));
    }
  },
});

/** Returns the folders of the packages that the bundle contains, from the root. */
export async function bundleProgram(
  entries: readonly string[],
  folder: string,
  replacements: ReadonlyMap<RegExp, string>,
): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: folder,
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    legalComments: "none",
    external: [...INSTALLED, ...ABSENT],
    banner: { js: BANNER },
    plugins: [replaced(replacements), addressesInFolder(folder)],
    metafile: true,
    logLevel: "error",
  });
  const inside = Object.keys(metafile.inputs).flatMap((file) => PACKAGE_FOLDER.exec(file)?.[0] ?? []);
  return [...new Set(inside)].sort();
}
