import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../services.ts";
import type { LogOutput } from "./log.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: string;
  }
}

/** One line per request: what, how it ended, how long, for whom. Never a token, a query or a body. */
export function mountRequestLog(server: FastifyInstance, log: Services["log"], output: LogOutput): void {
  if (!log.isLevelEnabled("info")) return;
  const { worker } = log.bindings();
  const begin = `{"level":${log.levels.values.info ?? 30}${worker === undefined ? "" : `,"worker":${worker}`},"time":"`;
  server.addHook("onResponse", (request, reply, done) => {
    output.write(lineOf(request, reply, begin));
    done();
  });
}

let second = 0;
let secondText = "";
/** The time as the other lines have it; its seconds are written once a second. */
function isoNow(): string {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    secondText = new Date(second).toISOString().slice(0, 20);
  }
  return `${secondText}${String(milliseconds).padStart(3, "0")}Z`;
}

/** Every request writes one, so it is put together by hand; only the request id can hold characters that need escaping. */
function lineOf(request: FastifyRequest, reply: FastifyReply, begin: string): string {
  const caller = request.identity && "caller" in request.identity ? request.identity.caller : undefined;
  const who = caller
    ? `,"user_id":"${caller.userId}","token_id":"${caller.tokenId}","workspace_id":"${caller.workspaceId}"`
    : "";
  const route = request.routeOptions.url;
  return (
    `${begin}${isoNow()}","request_id":${JSON.stringify(request.id)},"method":"${request.method}",` +
    `"route":${route === undefined ? "null" : `"${route}"`},"status":${reply.statusCode},` +
    `"duration_ms":${Math.round(reply.elapsedTime * 100) / 100}${who},"msg":"request"}\n`
  );
}
