import { nodeGuide } from "@svc/document/guide/node-guide";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import type { Route } from "../http/route.ts";
import { subjectName } from "../http/subject-name.ts";
import { describe } from "../surfaces/openapi/describe.ts";
import { type ExtraPage, index, subjectPages } from "../surfaces/openapi/markdown.ts";
import { once } from "../surfaces/openapi/once.ts";

const LIFE = { "cache-control": "public, max-age=60" };

/**
 * Pages of the reference without a route of their own: a line here adds a page at `/api-docs/<name>.md` and in the
 * index.
 */
const EXTRA_PAGES: readonly ExtraPage[] = [{ name: "nodes", title: "Nodes and marks of a body", text: nodeGuide }];

/** Serves the API reference as Markdown, with a page for each subject. The HTML pages are in pages/reference/. */
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
  return once(() => JSON.stringify(description()));
}
