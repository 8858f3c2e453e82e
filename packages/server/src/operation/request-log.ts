import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: string;
  }
}

/** One line per request: what, how it ended, how long, for whom. Never a token, a query or a body. */
export function mountRequestLog(server: FastifyInstance, log: Services["log"]): void {
  server.addHook("onResponse", (request, reply, done) => {
    const caller = request.identity && "caller" in request.identity ? request.identity.caller : undefined;
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 100) / 100,
        ...(caller && { user_id: caller.userId, token_id: caller.tokenId, workspace_id: caller.workspaceId }),
      },
      "request",
    );
    done();
  });
}
