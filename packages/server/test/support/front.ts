import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { defined } from "@svc/document/defined";
import { portOf } from "@svc/server/http/port-of";

/** Stands before several servers on one store and gives each request to the next of them, as a load balancer may. */
export class Front {
  readonly url: string;
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  static async start(targets: readonly string[]): Promise<Front> {
    let turn = 0;
    const server = createServer((incoming, outgoing) => {
      const target = new URL(defined(targets[turn++ % targets.length]));
      forward(target, incoming, outgoing);
    });
    server.keepAliveTimeout = 72_000;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const port = portOf(server);
    return new Front(`http://127.0.0.1:${port}`, server);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Everything as it came, the name of the host included; who leaves on one side leaves on the other. */
function forward({ hostname, port }: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const options = { hostname, port, method, path: url, headers: rawHeaders, setHost: false, agent: false as const };
  const call = request(options, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.rawHeaders);
    outgoing.flushHeaders();
    pipeline(reply, outgoing, () => undefined);
  });
  call.on("error", () => outgoing.headersSent || outgoing.destroy());
  outgoing.on("close", () => {
    call.destroy();
    // A server may answer before it has read everything; the rest is of no use to anybody.
    incoming.unpipe().resume();
  });
  incoming.pipe(call);
}
