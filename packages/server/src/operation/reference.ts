import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { Route } from "../http/route.ts";
import { describe } from "../openapi/describe.ts";
import { reference } from "../openapi/markdown.ts";

const LIFE = { "cache-control": "public, max-age=60" };

/** The API tells about itself: `/api-docs.md` as Markdown and `/api-docs` as a page that needs nothing from outside. */
export async function mountReference(server: FastifyInstance, routes: readonly Route[]): Promise<string> {
  const description = describe(routes);
  const info = description.info as { description: string };
  const markdown = reference(routes, info.description);
  server.get("/api-docs.md", async (_request, reply) =>
    reply.headers(LIFE).type("text/markdown; charset=utf-8").send(markdown),
  );
  await server.register(swagger, { mode: "static", specification: { document: description as never } });
  await server.register(swaggerUi, {
    routePrefix: "/api-docs",
    uiConfig: { deepLinking: true, docExpansion: "list", validatorUrl: null },
    staticCSP: true,
  });
  return JSON.stringify(description);
}
