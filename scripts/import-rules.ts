/** The height of each part. A file may import from its own height or a lower one, never from a higher one. */
const layers: readonly (readonly [prefix: string, height: number])[] = [
  ["packages/document/src/", 0],
  ["packages/sdk/src/", 0],
  // For editors in a browser: the server never imports it.
  ["packages/tiptap-kit/src/", 5.5],
  // On the document model and Yjs; server and browser use it.
  ["packages/live/src/", 0.5],
  // On the document model alone.
  ["packages/search/src/", 0.5],
  // On the SDK and the document model, and on nothing of the server.
  ["packages/mcp/src/", 0.5],
  ["packages/server/src/error-codes.ts", 1],
  ["packages/server/src/errors.ts", 1],
  ["packages/server/src/hints.ts", 1],
  ["packages/server/src/quota-error.ts", 1],
  ["packages/server/src/ids.ts", 1],
  ["packages/server/src/time.ts", 1],
  ["packages/server/src/ulid.ts", 1],
  ["packages/server/src/config.ts", 1],
  ["packages/server/src/settings/", 1],
  ["packages/server/src/cache/", 1],
  ["packages/server/src/threads/", 1],
  ["packages/server/src/services.ts", 2],
  ["packages/server/src/services/", 2],
  ["packages/server/src/background/", 2],
  ["packages/server/src/db/", 2],
  ["packages/server/src/http/", 2],
  ["packages/server/src/events/", 2],
  ["packages/server/src/rights/", 2],
  ["packages/server/src/jobs/", 2],
  ["packages/server/src/ports/", 2],
  ["packages/server/src/backup/", 3],
  ["packages/server/src/mail/", 3],
  ["packages/server/src/archives/", 3],
  ["packages/server/src/file-text/", 3],
  ["packages/server/src/bodies/", 3],
  ["packages/server/src/notify/", 3],
  ["packages/server/src/domain/", 4],
  ["packages/server/src/views/", 5],
  ["packages/server/src/surfaces/openapi/", 5],
  ["packages/server/src/operation/", 6],
  ["packages/server/src/surfaces/pages/", 6],
  ["packages/server/src/surfaces/oauth/", 6],
  ["packages/server/src/surfaces/mcp/", 6],
  ["packages/server/src/routes.ts", 6],
  ["packages/server/src/app/make-app.ts", 7],
  ["packages/server/src/app/threads/", 7],
  ["packages/server/src/app/make-services.ts", 7],
  ["packages/server/src/app/processes/", 8],
  ["packages/server/src/app/main.ts", 8],
  ["packages/server/src/app/start.ts", 8],
  ["packages/web/src/", 6],
  ["packages/cli/src/", 9],
];

/** The modules of the domain. A module may import from the ones before it, never from one after it. */
const modules: readonly string[] = [
  "library",
  "identity",
  "content",
  "knowledge",
  "discussion",
  "access",
  "lifecycle",
  "exchange",
  "live",
];

/** The lists that gather what stands beside them. */
const lists = new Set([
  "packages/server/src/domain/index.ts",
  "packages/server/src/domain/guards.ts",
  "packages/server/src/domain/job-kinds.ts",
  "packages/server/src/views/index.ts",
]);

/** A resource's routes are private; others may use its shapes, queries and commands. */
const privateToResource = /\/routes\.ts$/;

/** The only places that may know which database is used. */
const knowsDialect = /^packages\/(server\/src\/(db\/|config\.ts|settings\/)|cli\/src\/administration\/backup\.ts)/;
const dialectWord = /\b(sqlite|postgres|postgresql|pg)\b/i;

/** The folders of the two databases, and the files that pick one. What else is in db/ is the same for both. */
const dialectFolder = /^packages\/server\/src\/db\/(sqlite|postgres)\//;
const picksDialect = new Set(["packages/server/src/db/connect.ts", "packages/server/src/db/store-copy.ts"]);

/** Whether `from` of db/ may not import `to` because it would know one database, or two. */
const crossesDialect = (from: string, to: string): boolean => {
  const dialect = dialectFolder.exec(to)?.[1];
  if (dialect === undefined || !from.startsWith("packages/server/src/db/") || picksDialect.has(from)) return false;
  return dialectFolder.exec(from)?.[1] !== dialect;
};

const heightOf = (file: string): number | undefined => layers.find(([prefix]) => file.startsWith(prefix))?.[1];
const folderOf = (file: string, parent: string): string | undefined =>
  new RegExp(`^packages/server/src/${parent}/([^/]+)/`).exec(file)?.[1];

/** The rank of the domain module that a file belongs to, -1 for a module without one. */
function moduleRank(file: string): number | undefined {
  const module = folderOf(file, "domain");
  return module === undefined ? undefined : modules.indexOf(module);
}

/** The noun of the API that a file belongs to, as `module/noun`. Nouns must not import each other in a circle. */
export const resourceFolder = (file: string): string | undefined =>
  /^packages\/server\/src\/domain\/(live|[^/]+\/[^/]+)\//.exec(file)?.[1];

/** The part of the svc command that opens the store itself; the rest calls a server like any other program. */
const opensStore = "packages/cli/src/administration/";
const isCaller = (file: string): boolean => file.startsWith("packages/cli/src/") && !file.startsWith(opensStore);

/** Why `from` must not import `to` (both from the repository's root), or undefined. */
export function importProblem(from: string, to: string): string | undefined {
  const [height, other] = [heightOf(from), heightOf(to)];
  if (height === undefined) return `${from} has no place in scripts/import-rules.ts`;
  if (other === undefined) return `${to} has no place in scripts/import-rules.ts`;
  if (other > height) return `${from} imports ${to}, which stands above it`;
  if (isCaller(from) && to.startsWith("packages/server/"))
    return `${from} imports ${to}: only ${opensStore} opens the store`;
  if (crossesDialect(from, to)) return `${from} imports ${to}: only connect.ts and store-copy.ts know both databases`;
  if (lists.has(from)) return undefined;
  const [view, otherView] = [folderOf(from, "views"), folderOf(to, "views")];
  if (view && otherView && view !== otherView) return `the view ${view} imports the view ${otherView} (${to})`;
  const [module, otherModule] = [moduleRank(from), moduleRank(to)];
  if (module === -1) return `${from} is in a module that scripts/import-rules.ts does not order`;
  if (module !== undefined && otherModule !== undefined && otherModule > module)
    return `${from} imports ${to}: the module ${modules[otherModule]} stands above ${modules[module]}`;
  const [resource, otherResource] = [resourceFolder(from), resourceFolder(to)];
  if (resource && otherResource && resource !== otherResource && privateToResource.test(to))
    return `the resource ${resource} imports ${to}: its routes are its own`;
  return undefined;
}

/** Whether a line of code (comments and imports aside) names a database outside of db/. */
export const dialectProblem = (file: string, code: string): boolean =>
  !knowsDialect.test(file) && dialectWord.test(code);
