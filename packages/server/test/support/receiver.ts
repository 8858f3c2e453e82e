import { createHmac } from "node:crypto";
import type { Client, Loose } from "./client.ts";
import { makeWebhook } from "./fixtures.ts";
import { providerServer, type Reply, type SeenRequest } from "./provider-server.ts";

/** The deliveries of a webhook receiver in their order. */
export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Loose;
}

const received = ({ headers, body }: SeenRequest): Received => {
  const { type, data } = JSON.parse(body);
  return { id: String(headers["webhook-id"]), type, data };
};

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Everything that came, refused or not. */
  readonly received: Received[];
  /** The deliveries accepted with 2xx. */
  readonly accepted: Received[];
}

/** A receiver on loopback. It accepts unless told otherwise. */
export async function startReceiver(
  answer: (message: Received, count: number) => Reply | number = () => 204,
): Promise<Receiver> {
  const accepted: Received[] = [];
  const server = await providerServer((request, count) => {
    const message = received(request);
    const reply = answer(message, count);
    if (typeof reply === "function") return reply;
    const status = typeof reply === "number" ? reply : (reply.status ?? 200);
    if (status < 300) accepted.push(message);
    return typeof reply === "number" ? { status, text: "" } : reply;
  });
  return {
    url: server.url,
    seen: server.seen,
    accepted,
    get received() {
      return server.seen.map(received);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A receiver that takes its time for each, and says how many it had at once at most. */
export async function startSlowReceiver(ms: number): Promise<Receiver & { readonly most: number }> {
  let open = 0;
  let most = 0;
  const receiver = await startReceiver(() => (response) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.writeHead(204).end();
    }, ms);
  });
  return Object.defineProperty(receiver, "most", { get: () => most }) as Receiver & { readonly most: number };
}

export const hookTo = (client: Client, { url }: Receiver, fields: Loose = {}): Promise<Loose> =>
  makeWebhook(client, { url, enabled: true, ...fields });

/** The signature as a receiver works it out, by the specification alone. */
export function expectedSignature(secret: string, { headers, body }: SeenRequest): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed, "utf8").digest("base64")}`;
}
