import { readFileSync } from "node:fs";
import { nodeGuide } from "@svc/document/guide/node-guide";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Route } from "../http/route.ts";
import { describe } from "../openapi/describe.ts";
import { type ExtraPage, index, subjectName, subjectPages } from "../openapi/markdown.ts";

const JAVASCRIPT = "text/javascript; charset=utf-8";
const LIFE = { "cache-control": "public, max-age=60" };

/** Everything from here and nothing from elsewhere; the reference's own style attributes are let through. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc API reference</title>
<link rel="stylesheet" href="/api-docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api-docs/swagger-ui-bundle.js"></script>
<script src="/api-docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: new URL("../api/openapi.json", document.currentScript.src).href, dom_id: "#swagger-ui", deepLinking: true, docExpansion: "list", validatorUrl: null });
`;

const packaged = (name: string): string =>
  readFileSync(new URL(`static/${name}`, import.meta.resolve("@fastify/swagger-ui")), "utf8");

/** The parts of the page, read when it is first opened. */
const parts: Record<string, { readonly type: string; readonly text: () => string }> = {
  "swagger-ui.css": { type: "text/css; charset=utf-8", text: once(() => packaged("swagger-ui.css")) },
  "swagger-ui-bundle.js": { type: JAVASCRIPT, text: once(() => packaged("swagger-ui-bundle.js")) },
  "start.js": { type: JAVASCRIPT, text: () => START },
};

/** Pages of the reference that no route makes: a line here is a page at `/api-docs/<name>.md` and in the index. */
const EXTRA_PAGES: readonly ExtraPage[] = [{ name: "nodes", title: "Nodes and marks of a body", text: nodeGuide }];

/** The API tells about itself: `/api-docs.md` as Markdown with a page for each subject, and `/api-docs` as a page that needs nothing from outside. */
export function mountReference(
  server: FastifyInstance,
  routes: readonly Route[],
  { baseUrl }: Pick<Config, "baseUrl">,
): () => string {
  const description = once(() => describe(routes, baseUrl));
  const markdown = once(() => index(routes, (description().info as { description: string }).description, EXTRA_PAGES));
  const pages = once(() => subjectPages(routes, EXTRA_PAGES));
  const MARKDOWN = "text/markdown; charset=utf-8";
  server.get("/api-docs.md", async (_request, reply) => reply.headers(LIFE).type(MARKDOWN).send(markdown()));
  const names = [...new Set(routes.map((route) => subjectName(route.tag)))];
  for (const name of [...names, ...EXTRA_PAGES.map((page) => page.name), "shapes", "errors"])
    server.get(`/api-docs/${name}.md`, async (_request, reply) =>
      reply.headers(LIFE).type(MARKDOWN).send(pages().get(name)),
    );
  for (const name of names) {
    const own = routes.filter((route) => subjectName(route.tag) === name);
    const json = once(() => JSON.stringify(describe(own, baseUrl)));
    server.get(`/api/openapi/${name}.json`, async (_request, reply) =>
      reply.headers(LIFE).type("application/json; charset=utf-8").send(json()),
    );
  }
  for (const path of ["/api-docs", "/api-docs/"])
    server.get(path, async (_request, reply) =>
      reply.header("content-security-policy", CONTENT_POLICY).type("text/html; charset=utf-8").send(PAGE),
    );
  for (const [name, { type, text }] of Object.entries(parts))
    server.get(`/api-docs/${name}`, async (_request, reply) => reply.headers(LIFE).type(type).send(text()));
  return once(() => JSON.stringify(description()));
}

/** Worked out when it is first asked for: a start does not wait for it. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
