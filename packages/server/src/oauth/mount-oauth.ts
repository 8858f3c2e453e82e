import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { basePathOf } from "../http/base-path.ts";
import { baseUrlOf, keptWithAddress } from "../http/base-url.ts";
import { inProcessFetch } from "../http/in-process-fetch.ts";
import { limitAddresses } from "../http/limit-addresses.ts";
import { API_PREFIX, PUBLIC_BODY_BYTES } from "../http/mount.ts";
import { toApiError } from "../http/server.ts";
import type { Services } from "../services.ts";
import { deviceCodeRequest, oauthAnswer, tokenRequest } from "./device-grant.ts";
import { RESOURCE_METADATA, resourceMetadata, serverMetadata } from "./metadata.ts";
import { revokeGiven } from "./revocation.ts";

const SERVER_METADATA = "/.well-known/oauth-authorization-server";
const PUBLIC = { "access-control-allow-origin": "*" };
const FORM = "application/x-www-form-urlencoded";

/** What a client that knows only OAuth needs: descriptions of what is here, and the device grant. */
export async function mountOAuth(server: FastifyInstance, services: Services): Promise<void> {
  const { config } = services;
  const describe = (path: string, metadata: (base: string) => object) =>
    server.get(path, async (request, reply) =>
      reply.headers({ ...PUBLIC, ...keptWithAddress(config) }).send(metadata(baseUrlOf(request, config))),
    );
  describe(RESOURCE_METADATA, resourceMetadata);
  describe(`${RESOURCE_METADATA}/mcp`, resourceMetadata);
  describe(SERVER_METADATA, serverMetadata);
  // Of an address with a path clients ask at the root of its host, with the path at the end (RFC 8414, RFC 9728).
  const basePath = basePathOf(config);
  if (basePath !== "") {
    describe(`${RESOURCE_METADATA}${basePath}/mcp`, resourceMetadata);
    describe(`${SERVER_METADATA}${basePath}`, serverMetadata);
  }
  await server.register(async (scope) => {
    limitAddresses(scope, services);
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, services));
    scope.addContentTypeParser(FORM, { parseAs: "string", bodyLimit: PUBLIC_BODY_BYTES }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    scope.post("/oauth/device_authorization", (request, reply) =>
      translate(server, request, reply, "/auth/device/code", deviceCodeRequest),
    );
    scope.post("/oauth/token", (request, reply) =>
      translate(server, request, reply, "/auth/device/token", tokenRequest),
    );
    scope.post("/oauth/revoke", async (request, reply) => {
      const answer = await revokeGiven(services, request, formOf(request));
      return reply
        .headers({ ...PUBLIC, "cache-control": "no-store" })
        .code(answer.status)
        .send(answer.body);
    });
  });
}

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** OAuth's form of a refusal by the frame: too many, too long, out of order. */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, { log }: Services): FastifyReply {
  const refusal = toApiError(error);
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, "oauth request failed");
  const code = refusal.status < 500 && refusal.status !== 429 ? "invalid_request" : "temporarily_unavailable";
  return reply
    .headers({ ...PUBLIC, ...refusal.headers })
    .code(refusal.status)
    .send({ error: code, error_description: refusal.message });
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
  const body = bodyOf(formOf(request));
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
