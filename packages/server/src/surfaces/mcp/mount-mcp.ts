import { defined } from "@svc/document/defined";
import { isRecord } from "@svc/document/guards";
import type { HttpHandler } from "@svc/mcp/http";
import { openSession, type Session } from "@svc/mcp/session";
import { toolSetsOf } from "@svc/mcp/tool-sets";
import { createClient, ApiError as Refusal } from "@svc/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../db/database.ts";
import { findGrant } from "../../domain/identity/oauth/queries.ts";
import { findTokenByHash } from "../../domain/identity/tokens/queries.ts";
import { baseUrlOf } from "../../http/base-url.ts";
import { hashSecret } from "../../http/callers/authenticate.ts";
import { inProcessFetch } from "../../http/callers/in-process-fetch.ts";
import { toApiError } from "../../http/server.ts";
import type { Services } from "../../services.ts";
import { RESOURCE_METADATA } from "../oauth/metadata.ts";
import { isAllowedOrigin } from "./origin.ts";
import { refuse } from "./refuse.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The session whose tools run; set for every admitted request at /mcp. */
    mcpSession: Session | undefined;
  }
}

const CORS_HEADERS = {
  vary: "origin",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id",
  "access-control-expose-headers": "WWW-Authenticate, X-Request-Id, Retry-After",
  "access-control-max-age": "86400",
};

const PARSE_ERROR = { status: 400, code: "parse_error", message: "Parse error: the body is not valid JSON in UTF-8." };

/** A tool writes at most one document or one small file. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A batch takes one permit of the caller's rate limit, so its size is limited. */
const MAX_BATCH = 20;
const BATCH_TOO_LARGE = {
  status: 400,
  code: "batch_too_large",
  message: `A batch may hold ${MAX_BATCH} messages; send the others in requests of their own.`,
};

/** Serves the tools over Streamable HTTP. Checks origin and token before it reads a body. */
export async function mountMcp(
  server: FastifyInstance,
  { config, database, log }: Pick<Services, "config" | "database" | "log">,
): Promise<void> {
  const own = config.baseUrl === undefined ? [] : [new URL(config.baseUrl).origin];
  const origins = [...own, ...config.mcpOrigins];
  let handler: Promise<HttpHandler> | undefined;
  // The protocol's library is the largest of all, and many servers never serve a tool, so the first request loads it.
  const loadHandler = async () => {
    const { makeHttpHandler } = await import("@svc/mcp/http");
    return makeHttpHandler((error) => log.debug({ err: error }, "mcp request refused"));
  };
  server.decorateRequest("mcpSession", undefined);
  server.addHook("preClose", async () => (await handler)?.close());
  await server.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toApiError(error);
      if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, "mcp request failed");
      return refuse(reply, refusal);
    });
    scope.addHook("onRequest", async (request, reply) => {
      const { origin } = request.headers;
      if (!isAllowedOrigin(origin, origins)) return refuse(reply, forbiddenOrigin(origin));
      if (origin !== undefined) reply.headers({ ...CORS_HEADERS, "access-control-allow-origin": origin });
    });
    scope.options("/mcp", (_request, reply) => reply.code(204).send());
    scope.route({
      method: ["GET", "POST", "DELETE"],
      url: "/mcp",
      config: { operation: "mcp" },
      bodyLimit: Math.min(config.maxRequestBytes, MAX_BODY_BYTES),
      onRequest: async (request, reply) => {
        try {
          const tools = isRecord(request.query) ? request.query.tools : undefined;
          const sets = toolSetsOf([tools ?? []].flat().join(","));
          request.mcpSession = await openSession(clientFor(server, request), sets, baseUrlOf(request, config));
          request.bodyCaller = request.headers.authorization;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return refuse(reply, error, `${baseUrlOf(request, config)}${RESOURCE_METADATA}/mcp`);
        }
      },
      handler: async (request, reply) => {
        const { bodyProblem } = request;
        if (bodyProblem) return refuse(reply, bodyProblem.code === "invalid_json" ? PARSE_ERROR : bodyProblem);
        if (Array.isArray(request.body) && request.body.length > MAX_BATCH) return refuse(reply, BATCH_TOO_LARGE);
        handler ??= loadHandler();
        const { answer, scopesMissing } = await handler;
        const wanted = scopesMissing(defined(request.mcpSession), request.body);
        if (wanted.length > 0 && (await isConnection(database, request.headers.authorization)))
          return refuse(reply, askForMore(wanted), `${baseUrlOf(request, config)}${RESOURCE_METADATA}/mcp`);
        return reply.send(await answer(webRequest(request, reply), defined(request.mcpSession), request.body));
      },
    });
  });
}

/**
 * Only a program that connected by OAuth can ask its user for more scopes; other programs get the tool's own refusal.
 */
async function isConnection({ read }: Database, authorization = ""): Promise<boolean> {
  const token = await findTokenByHash(read, hashSecret(/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ""));
  return token !== undefined && (await findGrant(read, token.id)) !== undefined;
}

const askForMore = (wanted: readonly string[]) => ({
  status: 403,
  code: "insufficient_scope",
  message: "The tool needs more than the person has granted. Ask them for it.",
  details: { scopes: wanted },
});

const forbiddenOrigin = (origin: string | undefined) => ({
  status: 403,
  code: "forbidden_origin",
  message: `Pages of ${origin} may not call this server. The operator can allow them with SVC_MCP_ORIGINS.`,
});

/** A client whose calls stay in this process. The audit log shows them as an agent's. */
const clientFor = (server: FastifyInstance, request: FastifyRequest) =>
  createClient({
    baseUrl: "http://svc",
    fetch: inProcessFetch(server, request, {
      headers: { "user-agent": `${request.headers["user-agent"] ?? "unknown"} mcp` },
    }),
    retry: { attempts: 1 },
    timeoutMs: 0,
  });

/**
 * The head of the request as the protocol's library expects it, and a signal that aborts when the caller disconnects.
 */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request("http://svc/mcp", { method: request.method, headers, signal: gone.signal });
}
