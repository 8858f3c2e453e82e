import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { baseUrlOf, keptWithAddress } from "../http/base-url.ts";
import { inProcessFetch } from "../http/in-process-fetch.ts";
import { API_PREFIX } from "../http/mount.ts";
import { deviceCodeRequest, oauthAnswer, tokenRequest } from "./device-grant.ts";
import { RESOURCE_METADATA, resourceMetadata, serverMetadata } from "./metadata.ts";

const MAX_FORM_BYTES = 16 * 1024;
const PUBLIC = { "access-control-allow-origin": "*" };
const FORM = "application/x-www-form-urlencoded";

/** What a client that knows only OAuth needs: descriptions of what is here, and the device grant. */
export async function mountOAuth(server: FastifyInstance, config: Config): Promise<void> {
  const describe = (path: string, metadata: (base: string) => object) =>
    server.get(path, async (request, reply) =>
      reply.headers({ ...PUBLIC, ...keptWithAddress(config) }).send(metadata(baseUrlOf(request, config))),
    );
  describe(RESOURCE_METADATA, resourceMetadata);
  describe(`${RESOURCE_METADATA}/mcp`, resourceMetadata);
  describe("/.well-known/oauth-authorization-server", serverMetadata);
  await server.register(async (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: "string", bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    scope.post("/oauth/device_authorization", (request, reply) =>
      translate(server, request, reply, "/auth/device/code", deviceCodeRequest),
    );
    scope.post("/oauth/token", (request, reply) =>
      translate(server, request, reply, "/auth/device/token", tokenRequest),
    );
  });
}

/** Asks the API for what the form asks for, with its limits and its audit row, and answers in OAuth's form. */
async function translate(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  bodyOf: (form: URLSearchParams) => object,
): Promise<FastifyReply> {
  reply.headers({ ...PUBLIC, "cache-control": "no-store" });
  const body = bodyOf(request.body instanceof URLSearchParams ? request.body : new URLSearchParams());
  if ("error" in body) return reply.code(400).send(body);
  const answer = await inProcessFetch(server, request)(`http://svc${API_PREFIX}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const wait = answer.headers.get("retry-after");
  if (wait !== null) reply.header("retry-after", wait);
  return reply.code(answer.status).send(oauthAnswer(JSON.parse(await answer.text())));
}
