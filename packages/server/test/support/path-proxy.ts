import { createServer, request } from "node:http";
import { portOf } from "@svc/server/http/port-of";

/** A proxy that serves another server below a path of its own host, and has nothing beside it. */
export class PathProxy implements AsyncDisposable {
  readonly #path: string;
  readonly #strips: boolean;
  /** Paths that were asked for outside of the path. */
  readonly missed: string[] = [];
  target = "";
  readonly #server = createServer((incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    if (url !== this.#path && !url.startsWith(`${this.#path}/`)) {
      this.missed.push(url);
      outgoing.writeHead(404).end("not the service");
      return;
    }
    const path = this.#strips ? url.slice(this.#path.length) || "/" : url;
    const onward = request(this.target + path, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });

  private constructor(path: string, strips: boolean) {
    this.#path = path;
    this.#strips = strips;
  }

  static async start(path: string, strips: boolean): Promise<PathProxy> {
    const proxy = new PathProxy(path, strips);
    // Longer than a busy machine lets a connection wait: one that closes just when it is used again loses a request.
    proxy.#server.keepAliveTimeout = 72_000;
    await new Promise<void>((listening) => proxy.#server.listen(0, "127.0.0.1", listening));
    return proxy;
  }

  /** The address of the service. */
  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}${this.#path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
