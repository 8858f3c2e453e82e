/** The packages that the packed programs install: those in the repository's lock file, no newer ones. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { INSTALLED } from "./bundle-program.ts";

const root = resolve(import.meta.dirname, "../..");

interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

/** The packages that the bundled code leaves to npm, with their versions. */
export function dependenciesOf(folder: string): Record<string, string> {
  const code = globSync("*.js", { cwd: folder })
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
  const { dependencies } = readJson("packages/server/package.json");
  const named = INSTALLED.filter((name) => code.includes(`"${name}"`) || code.includes(`"${name}/`));
  return Object.fromEntries(named.map((name) => [name, dependencies[name]]));
}

/** The lock file's path of the package `name` as `from` resolves it. */
function placeOf(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf("/node_modules/")))) {
    const place = `${above === "" ? "" : `${above}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (above === "") return undefined;
    if (!above.includes("/node_modules/")) above = "";
  }
}

/** An `npm-shrinkwrap.json` for a package with these dependencies. */
export function shrinkwrapOf(manifest: {
  name: string;
  version: string;
  dependencies: Record<string, string>;
}): object {
  const { packages }: { packages: Record<string, Locked> } = readJson("package-lock.json");
  const found = new Map<string, Locked>();
  const visit = (from: string, fromTarget: string, name: string): void => {
    const place = placeOf(packages, from, name);
    const locked = place === undefined ? undefined : packages[place];
    if (place === undefined || locked === undefined) return;
    const shared = place.replace(/^packages\/[^/]+\//, "");
    const isTaken = (found.get(shared) ?? locked) !== locked;
    const target = isTaken ? `${fromTarget}/node_modules/${name}` : shared;
    if (found.has(target)) return;
    found.set(target, locked);
    const { dependencies, optionalDependencies, peerDependencies } = locked;
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(place, target, other);
  };
  // The program's own versions come first: they stand at the top.
  for (const name of Object.keys(manifest.dependencies)) {
    const place = placeOf(packages, "packages/server", name);
    if (place?.startsWith("packages/")) visit("packages/server", "", name);
  }
  for (const name of Object.keys(manifest.dependencies)) visit("packages/server", "", name);
  const places = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  const { name, version, dependencies } = manifest;
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name, version, license: "MIT", dependencies },
      ...Object.fromEntries(places.map(([place, { dev: _, ...locked }]) => [place, locked])),
    },
  };
}
