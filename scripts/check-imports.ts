/**
 * Fails on an import against the direction of docs/ARCHITECTURE.md, on a circle of resources or of files, and on a test
 * of the dialect outside of db/.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { findCycle } from "./folder-cycles.ts";
import { dialectProblem, importProblem, resourceFolder } from "./import-rules.ts";

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^;'"=]*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Comments away, text of the same number of lines left. Strings stay: a dialect's name in one counts. */
const withoutComments = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|[\s;{}(])\/\/[^\n]*/g, "$1");

/** The file of ours that an import names, from the repository's root; undefined for a package from outside. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(file), specifier));
  const own = /^@svc\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  return own ? `packages/${own[1]}/src/${own[2] ?? "index"}.ts` : undefined;
}

/** Every problem of the sources under `root`. */
export function problemsOf(root: string): string[] {
  const files = globSync("packages/*/src/**/*.ts", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.endsWith(".test.ts"))
    .sort();
  const resources = new Map<string, Set<string>>();
  const graph = new Map<string, Set<string>>();
  const problems = files.flatMap((file) => {
    const code = withoutComments(readFileSync(join(root, file), "utf8"));
    const imported = [...code.matchAll(IMPORT)].flatMap((match) => {
      const target = targetOf(file, match[1] ?? match[2] ?? match[3] ?? "");
      return target === undefined ? [] : { target, isLazy: match[3] !== undefined };
    });
    const targets = imported.map(({ target }) => target);
    graph.set(file, new Set(imported.flatMap(({ target, isLazy }) => (isLazy ? [] : target))));
    noteResource(resources, file, targets);
    const imports = targets.flatMap((target) =>
      existsSync(join(root, target))
        ? (importProblem(file, target) ?? [])
        : `${file} imports ${target}, which is not there`,
    );
    const dialects = code
      .replaceAll(IMPORT, (text) => text.replace(/[^\n]/g, ""))
      .split("\n")
      .flatMap((line, index) =>
        dialectProblem(file, line) ? `${file}:${index + 1} names a database: ${line.trim()}` : [],
      );
    return [...imports, ...dialects];
  });
  const cycle = findCycle(resources);
  if (cycle) problems.push(`the resources ${cycle.join(" → ")} import each other in a circle`);
  const fileCycle = findCycle(graph);
  if (fileCycle) problems.push(`the files ${fileCycle.join(" → ")} import each other in a circle`);
  return problems;
}

/** Adds what a file of a resource's folder imports from the others. */
function noteResource(graph: Map<string, Set<string>>, file: string, targets: readonly string[]): void {
  const from = resourceFolder(file);
  if (!from) return;
  const folders = targets.flatMap((target) => resourceFolder(target) ?? []);
  graph.set(from, new Set([...(graph.get(from) ?? []), ...folders.filter((folder) => folder !== from)]));
}

if (process.argv[1] === import.meta.filename) {
  const problems = problemsOf(resolve(import.meta.dirname, ".."));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
