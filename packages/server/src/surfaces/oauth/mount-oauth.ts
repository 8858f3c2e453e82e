import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OAuthError } from "../../domain/identity/oauth/oauth-error.ts";
import { TooManyRegistrations } from "../../domain/identity/oauth/register-client.ts";
import { basePathOf } from "../../http/base-path.ts";
import { baseUrlOf, keptWithAddress } from "../../http/base-url.ts";
import { inProcessFetch } from "../../http/callers/in-process-fetch.ts";
import { limitAddresses } from "../../http/limits/limit-addresses.ts";
import { API_PREFIX, PUBLIC_BODY_BYTES } from "../../http/mount.ts";
import { toApiError } from "../../http/server.ts";
import { readFields } from "../../http/wire/form-fields.ts";
import type { Services } from "../../services.ts";
import { deviceCodeRequest, oauthAnswer, tokenRequest } from "./device-grant.ts";
import { openidMetadata, RESOURCE_METADATA, resourceMetadata, serverMetadata } from "./metadata.ts";
import { register } from "./registration.ts";
import { revokeGiven } from "./revocation.ts";
import { checkOnce, grants } from "./token-endpoint.ts";

const SERVER_METADATA = "/.well-known/oauth-authorization-server";
const OPENID_METADATA = "/.well-known/openid-configuration";
const PUBLIC = { "access-control-allow-origin": "*" };
const UNKEPT = { ...PUBLIC, "cache-control": "no-store" };
const FORM = "application/x-www-form-urlencoded";

/** Headers for the preflight requests of programs that run in a page. */
const PREFLIGHT = {
  ...PUBLIC,
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "Authorization, Content-Type, Accept, Mcp-Protocol-Version",
  "access-control-max-age": "86400",
};

/** Serves plain OAuth clients: metadata, registration, tokens and revocation. */
export async function mountOAuth(server: FastifyInstance, services: Services): Promise<void> {
  const { config } = services;
  const preflight = (path: string) =>
    server.options(path, (_request, reply) => reply.code(204).headers(PREFLIGHT).send());
  const describe = (path: string, metadata: (base: string) => object) => {
    preflight(path);
    server.get(path, async (request, reply) =>
      reply.headers({ ...PUBLIC, ...keptWithAddress(config) }).send(metadata(baseUrlOf(request, config))),
    );
  };
  describe(RESOURCE_METADATA, resourceMetadata);
  describe(`${RESOURCE_METADATA}/mcp`, resourceMetadata);
  describe(SERVER_METADATA, serverMetadata);
  describe(OPENID_METADATA, openidMetadata);
  describe("/oauth/jwks", () => ({ keys: [] }));
  // For an address with a path, clients look at the root of the host with the path at the end (RFC 8414, RFC 9728).
  const basePath = basePathOf(config);
  if (basePath !== "") {
    describe(`${RESOURCE_METADATA}${basePath}/mcp`, resourceMetadata);
    describe(`${SERVER_METADATA}${basePath}`, serverMetadata);
    describe(`${OPENID_METADATA}${basePath}`, openidMetadata);
  }
  for (const name of ["device_authorization", "token", "register", "revoke"]) preflight(`/oauth/${name}`);
  await server.register(async (scope) => {
    limitAddresses(scope, services);
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, services));
    scope.addContentTypeParser(FORM, { parseAs: "string", bodyLimit: PUBLIC_BODY_BYTES }, (_request, body, done) =>
      done(null, readFields(String(body))),
    );
    scope.post("/oauth/device_authorization", (request, reply) =>
      translate(server, request, reply, "/auth/device/code", deviceCodeRequest),
    );
    scope.post("/oauth/token", async (request, reply) => {
      checkOnce(formOf(request));
      const grant = grantOf(formOf(request));
      if (!grant) return translate(server, request, reply, "/auth/device/token", tokenRequest);
      return reply.headers(UNKEPT).send(await grant(services, request, formOf(request)));
    });
    scope.post("/oauth/register", { bodyLimit: PUBLIC_BODY_BYTES }, async (request, reply) => {
      if (request.bodyProblem) throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
      return reply
        .headers(UNKEPT)
        .code(201)
        .send(await register(services, request));
    });
    scope.post("/oauth/revoke", async (request, reply) => {
      const answer = await revokeGiven(services, request, formOf(request));
      return reply.headers(UNKEPT).code(answer.status).send(answer.body);
    });
  });
}

const grantOf = (form: URLSearchParams) => {
  const type = form.get("grant_type") ?? "";
  return Object.hasOwn(grants, type) ? grants[type] : undefined;
};

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** Answers every failure in OAuth's format, including the framework's own refusals. */
function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log }: Pick<Services, "log">,
): FastifyReply {
  if (error instanceof OAuthError) {
    if (error instanceof TooManyRegistrations) reply.header("retry-after", String(Math.ceil(error.waitMs / 1000)));
    return reply.headers(UNKEPT).code(error.status).send({ error: error.code, error_description: error.message });
  }
  const refusal = toApiError(error);
  if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, "oauth request failed");
  const code = refusal.status < 500 && refusal.status !== 429 ? "invalid_request" : "temporarily_unavailable";
  return reply
    .headers({ ...PUBLIC, ...refusal.headers })
    .code(refusal.status)
    .send({ error: code, error_description: refusal.message });
}

/** Calls the API with the form's request, under the API's limits and audit, and answers in OAuth's format. */
async function translate(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  bodyOf: (form: URLSearchParams) => object,
): Promise<FastifyReply> {
  reply.headers(UNKEPT);
  const body = bodyOf(formOf(request));
  if ("error" in body) return reply.code(400).send(body);
  const answer = await inProcessFetch(server, request)(`http://svc${API_PREFIX}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const wait = answer.headers.get("retry-after");
  if (wait !== null) reply.header("retry-after", wait);
  // RFC 6749 does not define 422.
  return reply.code(answer.status === 422 ? 400 : answer.status).send(oauthAnswer(JSON.parse(await answer.text())));
}
