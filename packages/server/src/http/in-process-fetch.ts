import type { FastifyInstance, FastifyRequest } from "fastify";

/** What the API has to know of the one who really asks: who it is, by which program, from where, to which address. */
const PASSED_ON = ["authorization", "user-agent", "host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

/**
 * `fetch` that brings a request to this server's own routes without a socket, on behalf of another request. Everything
 * between a socket and a handler applies as it does to a request from outside: token, scopes, windows, quotas, audit
 * row, idempotency key, size limits. The request id is the outer one's, so that the log shows what belongs together.
 */
export function inProcessFetch(
  server: FastifyInstance,
  outer: FastifyRequest,
  headers: Readonly<Record<string, string>> = {},
): typeof fetch {
  const passedOn = Object.fromEntries(
    PASSED_ON.flatMap((name) => (outer.headers[name] === undefined ? [] : [[name, String(outer.headers[name])]])),
  );
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const payload = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const answer = await server.inject({
      method: request.method as "GET",
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), ...passedOn, ...headers, "x-request-id": outer.id },
      remoteAddress: outer.socket.remoteAddress ?? outer.ip,
      ...(payload && { payload }),
    });
    const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(isEmpty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
}
