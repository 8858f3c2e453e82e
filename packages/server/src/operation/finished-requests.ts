import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: string;
  }
}

/** A request whose answer has been sent. */
export interface FinishedRequest {
  readonly request: FastifyRequest;
  readonly status: number;
  readonly milliseconds: number;
  /** The path of its route, with names for its parameters. */
  readonly route: string | undefined;
  readonly operation: string | undefined;
}

export type OnFinished = (finished: FinishedRequest) => void;

/** Notifies each listener of every finished request; shared values are computed once. */
export function mountFinishedRequests(server: FastifyInstance, listeners: readonly OnFinished[]): void {
  server.addHook("onResponse", (request, reply, done) => {
    const finished = finishedRequest(request, reply);
    for (const listener of listeners) listener(finished);
    done();
  });
}

function finishedRequest(request: FastifyRequest, reply: FastifyReply): FinishedRequest {
  const { url, config } = request.routeOptions;
  return {
    request,
    status: reply.statusCode,
    milliseconds: reply.elapsedTime,
    route: url,
    operation: config.operation,
  };
}
