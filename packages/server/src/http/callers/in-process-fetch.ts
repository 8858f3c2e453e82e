import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "./caller.ts";
import { INSIDE_HEADER } from "./inside-callers.ts";

/** Headers of the outer request that the API needs: the program, its address and the host. */
const PASSED_ON = ["user-agent", "host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

interface InProcess {
  /** The caller; without one the token of the outer request decides. */
  readonly caller?: Caller;
  /** Set on every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A `fetch` that passes requests to this server's own routes without a socket, on behalf of another request. All checks
 * for outside requests apply: rights, quotas, audit row, idempotency key, size limits, and for a token its rate limit
 * (a session's is that of its page requests). The request id is that of the outer request, so that the log shows which
 * requests belong together.
 */
export function inProcessFetch(
  server: FastifyInstance,
  outer: FastifyRequest,
  { caller, headers = {} }: InProcess = {},
): typeof fetch {
  const names = caller ? PASSED_ON : ["authorization", ...PASSED_ON];
  const passedOn = Object.fromEntries(
    names.flatMap((name) => (outer.headers[name] === undefined ? [] : [[name, String(outer.headers[name])]])),
  );
  const inject = async (request: Request, payload: Payload, more: Record<string, string>): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const answer = await server.inject({
      method: request.method as "GET",
      url: pathname + search,
      headers: { ...Object.fromEntries(request.headers), ...passedOn, ...headers, ...more, "x-request-id": outer.id },
      remoteAddress: outer.socket.remoteAddress ?? outer.ip,
      payloadAsStream: true,
      ...(payload && { payload }),
    });
    // Cancelling the reader also ends the writer.
    answer.stream().once("close", () => answer.raw.res.destroy());
    const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
    if (isEmpty) answer.stream().resume();
    return new Response(isEmpty ? null : Readable.toWeb(answer.stream()), {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const payload = await payloadOf(request, init?.body instanceof ReadableStream);
    if (!caller) return inject(request, payload, {});
    return server.insideCallers.run(caller, (name) => inject(request, payload, { [INSIDE_HEADER]: name }));
  };
}

type Payload = Buffer | Readable | undefined;

async function payloadOf(request: Request, isStream: boolean): Promise<Payload> {
  if (!request.body) return undefined;
  return isStream ? Readable.fromWeb(request.body) : Buffer.from(await request.arrayBuffer());
}
