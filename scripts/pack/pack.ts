/**
 * Makes the packages that install without a clone, as npm would publish them: the server with its command, the command
 * of clients alone, the SDK and the Tiptap kit. `npm run pack [-- server cli sdk tiptap-kit]` writes them to `dist/`.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildIslands } from "@svc/web/build";
import { packDocs } from "../docs.ts";
import { buildKit } from "../kit-build.ts";
import { buildSdk } from "../sdk-build.ts";
import { bundleProgram, startedSources } from "./bundle-program.ts";
import { licencesOf } from "./licences.ts";
import { dependenciesOf, shrinkwrapOf } from "./locked.ts";
import { publishedName } from "./published.ts";

const root = resolve(import.meta.dirname, "../..");
const CLI = "packages/cli/src/svc.ts";
const PROGRAM_OF_SERVER = ["packages/server/src/app/main.ts", "packages/server/src/app/start.ts"];

interface Program {
  readonly description: string;
  readonly entries: readonly string[];
  readonly replaced: ReadonlyMap<RegExp, string>;
}

/** Commands that open the store belong to the server's package. */
const STORE_COMMAND = `
  const refuse = (command) => command.allowUnknownOption().allowExcessArguments().helpOption(false).action(() => {
    throw new Error(\`"svc \${command.name()}" belongs to the server: install ${publishedName("@svc/server")} on its machine.\`);
  });
  export { refuse as define, refuse as defineBackup, refuse as defineRestore };
`;

const programs: Record<"server" | "cli", Program> = {
  server: {
    description: "svc, a self-hosted knowledge base for people, programs and agents: the server and its command",
    entries: [CLI, ...PROGRAM_OF_SERVER, ...startedSources()],
    replaced: new Map([[/^@svc\/web\/build$/, "export const ensureIslands = async () => undefined;"]]),
  },
  cli: {
    description: "The svc command for a server elsewhere: read, write, search and synchronise pages from a terminal",
    entries: [CLI],
    replaced: new Map([[/^\.\/administration\//, STORE_COMMAND]]),
  },
};

async function buildProgram(name: "server" | "cli", out: string): Promise<void> {
  const { description, entries, replaced } = programs[name];
  const lib = join(out, "lib");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(lib, { recursive: true });
  const bundled = await bundleProgram(entries, lib, replaced);
  const { version } = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), "utf8"));
  const manifest = {
    name: publishedName(`@svc/${name}`),
    version,
    description,
    license: "MIT",
    type: "module",
    bin: { svc: "svc.js" },
    engines: { node: ">=24" },
    dependencies: dependenciesOf(lib),
  };
  writeJson(join(out, "package.json"), manifest);
  writeJson(join(out, "npm-shrinkwrap.json"), shrinkwrapOf(manifest));
  copyFileSync(join(root, "scripts/pack/svc.js"), join(out, "svc.js"));
  if (name === "server") {
    copyFileSync(join(root, "scripts/pack/healthcheck.js"), join(out, "healthcheck.js"));
    packDocs(join(out, "manual"));
  }
  copyFileSync(join(root, `scripts/pack/${name}.md`), join(out, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));
  writeFileSync(join(out, "THIRD-PARTY-LICENSES.txt"), licencesOf(bundled));
}

const writeJson = (file: string, value: object) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const builders: Record<string, (out: string) => Promise<void> | void> = {
  server: async (out) => {
    await buildIslands();
    await buildProgram("server", out);
  },
  cli: (out) => buildProgram("cli", out),
  sdk: buildSdk,
  "tiptap-kit": buildKit,
};

/** Builds the named packages below `folder`; with `archives` npm packs each. Returns the folders or the archives. */
async function pack(names: readonly string[], folder: string, archives = true): Promise<string[]> {
  const made: string[] = [];
  for (const name of names) {
    const out = join(folder, "packages", name);
    mkdirSync(join(folder, "packages"), { recursive: true });
    await builders[name]?.(out);
    if (!archives) made.push(out);
    else {
      const npm = ["pack", "--silent", "--pack-destination", folder];
      made.push(join(folder, execFileSync("npm", npm, { cwd: out, encoding: "utf8" }).trim()));
    }
  }
  return made;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: "string", default: join(root, "dist") }, folders: { type: "boolean", default: false } },
  });
  const unknown = positionals.filter((name) => !(name in builders));
  if (unknown.length > 0) {
    console.error(`pack: there is no package ${unknown.join(", ")}; there are ${Object.keys(builders).join(", ")}.`);
    process.exit(2);
  }
  const names = positionals.length > 0 ? positionals : Object.keys(builders);
  for (const file of await pack(names, resolve(values.out), !values.folders)) console.log(file);
}
