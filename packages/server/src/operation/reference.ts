import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { Route } from "../http/route.ts";
import { describe } from "../openapi/describe.ts";
import { reference } from "../openapi/markdown.ts";

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
    staticCSP: CONTENT_POLICY,
  });
  return JSON.stringify(description);
}
