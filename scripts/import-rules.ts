/** Where each part of the house stands. A file may import from its own row or a lower one, never from above. */
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
  ["packages/server/src/services.ts", 2],
  ["packages/server/src/background/", 2],
  ["packages/server/src/db/", 2],
  ["packages/server/src/http/", 2],
  ["packages/server/src/events/", 2],
  ["packages/server/src/rights/", 2],
  ["packages/server/src/jobs/", 2],
  ["packages/server/src/ports/", 2],
  ["packages/server/src/mail/", 3],
  ["packages/server/src/bodies/", 3],
  ["packages/server/src/resources/", 4],
  ["packages/server/src/views/", 5],
  ["packages/server/src/openapi/", 5],
  ["packages/server/src/operation/", 6],
  ["packages/server/src/pages/", 6],
  ["packages/server/src/oauth/", 6],
  ["packages/server/src/mcp/", 6],
  ["packages/server/src/routes.ts", 6],
  ["packages/server/src/app.ts", 7],
  ["packages/server/src/import-threads/", 7],
  ["packages/server/src/make-services.ts", 7],
  ["packages/server/src/processes/", 8],
  ["packages/server/src/main.ts", 8],
  ["packages/server/src/start.ts", 8],
  ["packages/web/src/", 6],
  ["packages/cli/src/", 9],
];

/** The two lists that gather what stands beside them. */
const lists = new Set(["packages/server/src/resources/index.ts", "packages/server/src/views/index.ts"]);

/** What a resource does over HTTP is its own; its shapes, queries and commands may be used by others. */
const privateToResource = /\/routes\.ts$/;

/** Names the types of what `app.ts` hands down, also of parts that stand above it or use it: it alone may close a circle. */
export const handedDown = "packages/server/src/services.ts";

/** The only places that may know which database is used. */
const knowsDialect = /^packages\/(server\/src\/(db\/|config\.ts|settings\/)|cli\/src\/administration\/backup\.ts)/;
const dialectWord = /\b(sqlite|postgres|postgresql|pg)\b/i;

/** The folders of the two databases, and the file that picks one. What else is in db/ is the same for both. */
const dialectFolder = /^packages\/server\/src\/db\/(sqlite|postgres)\//;
const picksDialect = "packages/server/src/db/connect.ts";

/** Whether `from` of db/ may not import `to` because it would know one database, or two. */
const crossesDialect = (from: string, to: string): boolean => {
  const dialect = dialectFolder.exec(to)?.[1];
  if (dialect === undefined || !from.startsWith("packages/server/src/db/") || from === picksDialect) return false;
  return dialectFolder.exec(from)?.[1] !== dialect;
};

const heightOf = (file: string): number | undefined => layers.find(([prefix]) => file.startsWith(prefix))?.[1];
const folderOf = (file: string, parent: string): string | undefined =>
  new RegExp(`^packages/server/src/${parent}/([^/]+)/`).exec(file)?.[1];

/** The resource that a file belongs to. Resources must not import each other in a circle. */
export const resourceFolder = (file: string): string | undefined => folderOf(file, "resources");

/** The part of the svc command that opens the store itself; the rest calls a server like any other program. */
const opensStore = "packages/cli/src/administration/";
const isCaller = (file: string): boolean => file.startsWith("packages/cli/src/") && !file.startsWith(opensStore);

/** Why `from` must not import `to` (both from the repository's root), or undefined. */
export function importProblem(from: string, to: string): string | undefined {
  const [height, other] = [heightOf(from), heightOf(to)];
  if (height === undefined) return `${from} has no place in scripts/import-rules.ts`;
  if (other === undefined) return `${to} has no place in scripts/import-rules.ts`;
  if (other > height && from !== handedDown) return `${from} imports ${to}, which stands above it`;
  if (isCaller(from) && to.startsWith("packages/server/"))
    return `${from} imports ${to}: only ${opensStore} opens the store`;
  if (crossesDialect(from, to)) return `${from} imports ${to}: only connect.ts knows both databases`;
  if (lists.has(from)) return undefined;
  const [view, otherView] = [folderOf(from, "views"), folderOf(to, "views")];
  if (view && otherView && view !== otherView) return `the view ${view} imports the view ${otherView} (${to})`;
  const [resource, otherResource] = [resourceFolder(from), resourceFolder(to)];
  if (resource && otherResource && resource !== otherResource && privateToResource.test(to))
    return `the resource ${resource} imports ${to}: its routes are its own`;
  return undefined;
}

/** Whether a line of code (comments and imports aside) names a database outside of db/. */
export const dialectProblem = (file: string, code: string): boolean =>
  !knowsDialect.test(file) && dialectWord.test(code);
