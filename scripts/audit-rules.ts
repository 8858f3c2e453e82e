/** One package's entry in package-lock.json, reduced to the fields that the rules read. */
interface LockedPackage {
  /** The original name of a package that is installed under another name. */
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
}

export type Lock = Readonly<Record<string, LockedPackage>>;

/** A package.json of ours. */
export interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

/** The manifest of an installed package. */
export interface Installed {
  readonly version?: string;
  readonly license?: string;
}

const PERMISSIVE = new Set(
  "MIT MIT-0 ISC BSD-2-Clause BSD-3-Clause 0BSD Apache-2.0 BlueOak-1.0.0 CC0-1.0 Unlicense Zlib PSF-2.0 Python-2.0 OFL-1.1".split(
    " ",
  ),
);

/**
 * Not permissive by its name, and allowed because only tests use it: nothing of it is in what we give out. (The
 * inspector's LICENSE file says MIT and Apache-2.0.)
 */
const TEST_ONLY: Readonly<Record<string, string>> = {
  "axe-core": "MPL-2.0",
  "@modelcontextprotocol/inspector-cli": "SEE LICENSE IN LICENSE",
};

/** Named in an old way: its LICENSE file is the BSD licence with two clauses. */
const OLD_NAMES: Readonly<Record<string, string>> = { duck: "BSD" };

/** Whether an SPDX expression leaves us a permissive choice. */
export function isPermissive(expression: string): boolean {
  const text = expression.trim().replace(/^\((.*)\)$/, "$1");
  if (/ OR /.test(text)) return text.split(/ OR /).some(isPermissive);
  if (/ AND /.test(text)) return text.split(/ AND /).every(isPermissive);
  return PERMISSIVE.has(text);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The packages from outside: not ours, not links to ours. */
const outside = (lock: Lock): [path: string, entry: LockedPackage][] =>
  Object.entries(lock).filter(([path, entry]) => path.includes("node_modules/") && !entry.link);

/** Each has a hash of its content, and comes from a registry. */
export const integrityProblems = (lock: Lock): string[] =>
  outside(lock).flatMap(([path, { version, integrity = "", resolved = "https:" }]) => [
    ...(version && /^sha512-/.test(integrity) ? [] : [`${path} has no sha512 integrity in package-lock.json`]),
    ...(resolved.startsWith("https:") ? [] : [`${path} does not come from a registry: ${resolved}`]),
  ]);

/** Ours name exact versions. */
export const pinProblems = (manifests: readonly Manifest[]): string[] =>
  manifests.flatMap(({ name, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies })
      .filter(([other, version]) => !other.startsWith("@svc/") && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([other, version]) => `${name} does not pin ${other}: ${version}`),
  );

export function licenceProblems(lock: Lock, installed: (path: string) => Installed | undefined): string[] {
  return outside(lock).flatMap(([path, entry]) => {
    const licence = installed(path)?.license ?? entry.license ?? "none";
    const name = nameOf(path);
    if (isPermissive(licence) || OLD_NAMES[name] === licence || (entry.dev && TEST_ONLY[name] === licence)) return [];
    return [`${name} has the licence ${licence}`];
  });
}

/** `allowScripts` names exactly the packages with install scripts; packages for other systems never run. */
export function scriptProblems(lock: Lock, allowed: Readonly<Record<string, boolean>>): string[] {
  const scripted = outside(lock).filter(([, entry]) => entry.hasInstallScript);
  const isForeign = ({ optional, os, cpu }: LockedPackage) =>
    optional && ((os && !os.includes(process.platform)) || (cpu && !cpu.includes(process.arch)));
  const running = scripted
    .filter(([path, entry]) => allowed[nameOf(path)] !== true && !isForeign(entry))
    .map(([path]) => `${nameOf(path)} has an install script and is not in allowScripts`);
  const names = new Set(scripted.map(([path]) => nameOf(path)));
  const idle = Object.keys(allowed).filter((name) => !names.has(name));
  return [...running, ...idle.map((name) => `allowScripts names ${name}, which has no install script`)];
}

export const deprecationProblems = (lock: Lock): string[] =>
  outside(lock)
    .filter(([, { deprecated }]) => deprecated !== undefined)
    .map(([path, { deprecated }]) => `${nameOf(path)} is deprecated: ${deprecated}`);

/** Each direct dependency is installed in one major version, except test tools: two would behave differently. */
export function duplicateProblems(lock: Lock, manifests: readonly Manifest[]): string[] {
  const direct = new Set(manifests.flatMap(({ dependencies }) => Object.keys(dependencies ?? {})));
  const majors = new Map<string, Set<string>>();
  for (const [path, { version = "", dev }] of outside(lock)) {
    const name = nameOf(path);
    if (direct.has(name) && !dev) majors.set(name, (majors.get(name) ?? new Set()).add(version.split(".")[0] ?? ""));
  }
  return [...majors]
    .filter(([, versions]) => versions.size > 1)
    .map(([name, versions]) => `${name} is there in several major versions: ${[...versions].join(", ")}`);
}

/** The installed packages match the lock file. */
export const installedProblems = (lock: Lock, installed: (path: string) => Installed | undefined): string[] =>
  outside(lock).flatMap(([path, { version, optional }]) => {
    const found = installed(path);
    if (!found) return optional ? [] : [`${path} is not installed`];
    return found.version === version ? [] : [`${path} is ${found.version}, package-lock.json says ${version}`];
  });

/** The versions of every package, as the advisory endpoint of a registry asks for them. */
export function versionsOf(lock: Lock): Record<string, string[]> {
  const versions: Record<string, string[]> = {};
  for (const [path, entry] of outside(lock)) {
    const name = entry.name ?? nameOf(path);
    if (entry.version) versions[name] = [...(versions[name] ?? []), entry.version];
  }
  return versions;
}

/** One known weakness, as a registry tells it. */
export interface Advisory {
  readonly severity: string;
  readonly title: string;
  readonly url?: string;
}

/** The findings, worst first, and whether they must fail the audit. */
export function judge(advisories: Readonly<Record<string, readonly Advisory[]>>): { lines: string[]; isBad: boolean } {
  const ranks = ["critical", "high", "moderate", "low"];
  const all = Object.entries(advisories).flatMap(([name, list]) => list.map((advisory) => ({ name, ...advisory })));
  all.sort((a, b) => ranks.indexOf(a.severity) - ranks.indexOf(b.severity));
  return {
    lines: all.map(({ name, severity, title, url }) => `${severity}: ${name}: ${title}${url ? ` (${url})` : ""}`),
    isBad: all.some(({ severity }) => severity === "critical" || severity === "high"),
  };
}
