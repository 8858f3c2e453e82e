import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { portOf } from "@svc/server/http/port-of";

type Direction = "requests" | "answers";

/** The network before one server. It can be cut, and its address stays when the server comes back at another one. */
export class Network implements AsyncDisposable {
  readonly url: string;
  target: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #swallowed: Direction | undefined;

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.target = target;
    this.url = `http://127.0.0.1:${portOf(server)}`;
    server.on("connection", (client) => this.#join(client));
  }

  static async start(target: string): Promise<Network> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Network(server, target);
  }

  /** Ends every connection; new ones end at once. */
  cut(): void {
    this.#isCut = true;
    this.#endAll();
  }

  /** Drops everything sent in one direction without a notice; connections stay open. */
  swallow(direction: Direction): void {
    this.#swallowed = direction;
  }

  /** Connections that lost something end, as they do when a peer does not answer any more. */
  mend(): void {
    if (this.#swallowed) this.#endAll();
    this.#isCut = false;
    this.#swallowed = undefined;
  }

  #join(client: Socket): void {
    if (this.#isCut) return void client.destroy();
    const { hostname, port } = new URL(this.target);
    const server = connect(Number(port), hostname);
    this.#pass(client, server, "requests");
    this.#pass(server, client, "answers");
  }

  #pass(from: Socket, to: Socket, direction: Direction): void {
    this.#sockets.add(from);
    from.on("data", (chunk) => {
      if (this.#swallowed !== direction && !to.destroyed) to.write(chunk);
    });
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
