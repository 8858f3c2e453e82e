import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { portOf } from "@svc/server/http/port-of";
import { chance, pick, type Random } from "./random.ts";

/** The fate of a request and of the client that waits for its answer. */
const fates = [
  "refused before it is read",
  "cut in the middle of the request",
  "sent on, its client cut off at once",
  "sent on, cut in the middle of the answer",
  "client cut off, sent on later",
  "late, answered late",
] as const;
type Fate = (typeof fates)[number] | "passed on";

const MAX_DELAY_MS = 60;

/** A connection that fails: between clients and servers, one request per connection, each with a fate of its own. */
export class UnreliableProxy {
  readonly url: string;
  /** How many met each fate. */
  readonly met = new Map<Fate, number>();
  readonly #server: Server;
  readonly #targets: readonly URL[];
  readonly #random: Random;
  readonly #percent: number;
  readonly #open = new Set<Promise<void>>();

  private constructor(server: Server, targets: readonly URL[], random: Random, percent: number) {
    this.#server = server;
    this.#targets = targets;
    this.#random = random;
    this.#percent = percent;
    this.url = `http://127.0.0.1:${portOf(server)}`;
  }

  /** So many of a hundred requests go wrong; each goes to any of the targets. */
  static async start(targets: readonly string[], random: Random, percent: number): Promise<UnreliableProxy> {
    const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new UnreliableProxy(
      server,
      targets.map((target) => new URL(target)),
      random,
      percent,
    );
    server.on("connection", (client) => {
      const done = proxy.#serve(client).finally(() => proxy.#open.delete(done));
      proxy.#open.add(done);
    });
    return proxy;
  }

  /** Waits until everything that was sent on has reached its end. */
  async settle(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open);
  }

  async stop(): Promise<void> {
    await this.settle();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(client: Socket): Promise<void> {
    client.on("error", () => undefined);
    const fate: Fate = chance(this.#random, this.#percent) ? pick(this.#random, fates) : "passed on";
    this.met.set(fate, (this.met.get(fate) ?? 0) + 1);
    if (fate === "refused before it is read") return void client.destroy();
    const request = await wholeRequest(client);
    if (!request) return void client.destroy();
    const cutAt = this.#random(request.length);
    const pause = this.#random(MAX_DELAY_MS);
    if (fate === "client cut off, sent on later" || fate === "sent on, its client cut off at once") client.destroy();
    if (fate === "client cut off, sent on later" || fate === "late, answered late") await sleep(pause);
    if (fate === "cut in the middle of the request") return this.#sendPart(client, request.subarray(0, cutAt));
    const answer = await this.#exchange(request);
    if (client.destroyed) return;
    if (fate === "late, answered late") await sleep(pause);
    if (fate === "sent on, cut in the middle of the answer")
      return void client.write(answer.subarray(0, this.#random(answer.length)), () => client.destroy());
    client.end(answer);
  }

  #connect(): Socket {
    const target = pick(this.#random, this.#targets);
    return connect(Number(target.port), target.hostname).on("error", () => undefined);
  }

  async #sendPart(client: Socket, part: Buffer): Promise<void> {
    const server = this.#connect();
    const closed = once(server, "close");
    server.write(part, () => server.destroy());
    await closed;
    client.destroy();
  }

  /** Sends the request and takes the whole answer; the server closes the connection after it. */
  async #exchange(request: Buffer): Promise<Buffer> {
    const server = this.#connect();
    const chunks: Buffer[] = [];
    server.on("data", (chunk: Buffer) => chunks.push(chunk));
    const closed = once(server, "close");
    server.write(request);
    await closed;
    return Buffer.concat(chunks);
  }
}

/** The bytes of one request with its body; undefined when its client left before. */
async function wholeRequest(client: Socket): Promise<Buffer | undefined> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of client.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const length = Number(/^content-length: *(\d+)/im.exec(bytes.subarray(0, end).toString("latin1"))?.[1] ?? 0);
    if (bytes.length >= end + 4 + length) return bytes;
  }
  return undefined;
}
