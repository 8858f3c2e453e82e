import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "@svc/server/http/port-of";

/** The requests that a provider stub received. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An answer: a status with a JSON value or raw text, or a function that does with the connection what it likes. */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | ((response: ServerResponse) => void);

export interface ProviderServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
}

/** A local HTTP server that speaks a provider's protocol, well or badly, as the test says. */
export async function providerServer(answer: (request: SeenRequest, count: number) => Reply): Promise<ProviderServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => "");
    const entry = { path: request.url ?? "", headers: request.headers, body };
    seen.push(entry);
    const reply = answer(entry, seen.length);
    if (typeof reply === "function") return reply(response);
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
    response.end(reply.text ?? JSON.stringify(reply.json ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/base`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
