import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "./caller.ts";
import { INSIDE_HEADER } from "./inside-callers.ts";

/** What the API has to know of the outer request: its program, its address, the host it named. */
const PASSED_ON = ["user-agent", "host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

interface InProcess {
  /** The caller; without one the token of the outer request decides. */
  readonly caller?: Caller;
  /** Set on every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * `fetch` that brings a request to this server's own routes without a socket, on behalf of another request. Everything
 * between a socket and a handler applies as it does to a request from outside: rights, quotas, audit row, idempotency
 * key, size limits, and for a token its window (the window of a session is that of its page requests). The request id
 * is the outer one's, so that the log shows what belongs together.
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
    // Whoever stops reading ends what writes.
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
