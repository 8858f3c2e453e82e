/** Says which test files `npm test` runs, which only `npm run test:all`, and which of them share a process. */
import { globSync, readFileSync } from "node:fs";

type Part = "core" | "rest";
type DatabaseKind = "sqlite" | "postgres";

/** Test files that run in one process. With `only`, the suites of one database alone. */
export interface FileGroup {
  readonly files: readonly string[];
  readonly only: DatabaseKind | undefined;
}

/**
 * Beginnings of paths. `npm run test:all` runs these files, `npm test` all others: long searches for faults, hostile
 * walks, properties with many rounds, several processes, and the parts of the browser that change seldom.
 */
export const REST: readonly string[] = [
  "bench/bench.test",
  "packages/cli/test/discussion",
  "packages/cli/test/move-store",
  "packages/cli/test/sync/property",
  "packages/cli/test/tour",
  "packages/document/src/markdown/changed-part",
  "packages/mcp/test/inspector",
  "packages/sdk/e2e/",
  "packages/server/test/contract/attachments/fuzz",
  "packages/server/test/contract/import/many",
  "packages/server/test/contract/languages/translation-property",
  "packages/server/test/contract/rights/hostile",
  "packages/server/test/deploy/",
  "packages/server/test/e2e/",
  "packages/server/test/faults/",
  "packages/server/test/processes/",
  "packages/web/e2e/",
  "scripts/image.test",
  "scripts/packages.test",
];

/** Exceptions to `REST`. */
export const CORE: readonly string[] = [
  "packages/server/test/faults/crash",
  "packages/web/e2e/browse",
  "packages/web/e2e/discussion",
  "packages/web/e2e/editor-hands",
  "packages/web/e2e/editor-writing",
  "packages/web/e2e/editor.test",
  "packages/web/e2e/entry",
  "packages/web/e2e/grid.test",
  "packages/web/e2e/live.test",
  "packages/web/e2e/reading",
  "packages/web/e2e/search",
  "packages/web/e2e/shell",
  "packages/web/e2e/suggesting",
];

/**
 * Beginnings of paths where the database matters: `npm test` runs their suites on both. All other suites it runs on
 * SQLite, and `npm run test:all` runs them on PostgreSQL.
 */
export const ON_BOTH_DATABASES: readonly string[] = [
  "packages/server/src/",
  "packages/server/test/contract/accounts/accounts",
  "packages/server/test/contract/bodies/batch",
  "packages/server/test/contract/bodies/versions",
  "packages/server/test/contract/discussion/comments",
  "packages/server/test/contract/events/events",
  "packages/server/test/contract/events/webhooks-delivery",
  "packages/server/test/contract/http/idempotency",
  "packages/server/test/contract/http/rate-limit",
  "packages/server/test/contract/http/requests",
  "packages/server/test/contract/import/import",
  "packages/server/test/contract/knowledge/concepts.test",
  "packages/server/test/contract/knowledge/links-at-once",
  "packages/server/test/contract/knowledge/relations-background",
  "packages/server/test/contract/languages/translation-jobs",
  "packages/server/test/contract/library/documents-list",
  "packages/server/test/contract/library/knowledge-bases",
  "packages/server/test/contract/library/trash",
  "packages/server/test/contract/live/live",
  "packages/server/test/contract/rights/rights",
  "packages/server/test/contract/search/background",
  "packages/server/test/contract/search/search",
  "packages/server/test/contract/store/",
];

export const testFiles = (): string[] =>
  globSync(["packages/*/{src,test,e2e}/**/*.test.ts", "scripts/*.test.ts", "bench/**/*.test.ts"]).sort();

const beginsWith = (file: string, beginnings: readonly string[]) => beginnings.some((path) => file.startsWith(path));

export const partOf = (file: string): Part => (beginsWith(file, REST) && !beginsWith(file, CORE) ? "rest" : "core");

/** Files with the same suites for each database. */
export const hasSuitesOfBoth = (file: string): boolean =>
  /\bonEachDatabase\(|\bof databases\b/.test(readFileSync(file, "utf8"));

const isDivided = (file: string): boolean =>
  partOf(file) === "core" && !beginsWith(file, ON_BOTH_DATABASES) && hasSuitesOfBoth(file);

/** The options of node that select the suites of one database; their titles end with its name. */
export const patternsOf = (only: DatabaseKind | undefined): string[] =>
  only ? [`--test-${only === "sqlite" ? "skip" : "name"}-pattern=\\[postgres[\\],]`] : [];

/** The files of a part, and for files that are divided the database. */
export function filesOf(part: Part, files: readonly string[] = testFiles()): FileGroup[] {
  const whole = files.filter((file) => partOf(file) === part && !isDivided(file));
  const divided = files.filter(isDivided);
  return [
    { files: whole, only: undefined },
    { files: divided, only: part === "core" ? "sqlite" : "postgres" },
  ];
}

/** Files per process, by the beginning of their path. The others each have a process of their own. */
const SHARED: readonly (readonly [beginning: string, count: number])[] = [
  ["packages/server/test/contract/rights/", 1],
  ["packages/server/test/contract/", 8],
  ["packages/mcp/test/", 5],
  ["packages/cli/test/", 2],
  ["packages/web/e2e/", 4],
  ["packages/server/src/", 14],
  ["packages/document/src/", 14],
  ["packages/", 8],
];

const ALONE = ["packages/server/test/faults/", "packages/server/test/processes/"];

/** Files of one folder share a process, where they are small and leave nothing behind. */
export function groupFiles({ files, only }: FileGroup): FileGroup[] {
  const groups = new Map<string, string[][]>();
  for (const file of files) {
    const [beginning, count] = beginsWith(file, ALONE)
      ? [file, 1]
      : (SHARED.find(([path]) => file.startsWith(path)) ?? [file, 1]);
    const inGroup = groups.get(beginning) ?? [];
    groups.set(beginning, inGroup);
    const last = inGroup.at(-1);
    if (last && last.length < count) last.push(file);
    else inGroup.push([file]);
  }
  return [...groups.values()].flat().map((group) => ({ files: group, only }));
}
