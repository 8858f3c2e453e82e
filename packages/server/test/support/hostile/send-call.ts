import { Agent, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Loose } from "../client.ts";
import { toText } from "./json-text.ts";
import type { Call } from "./valid.ts";

/** A request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** The parsed body when it is JSON. */
  readonly json: Loose;
}

const PATIENCE_MS = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
  return text && `?${text}`;
};

export async function toWire({ operation, path, query, body, headers }: Call): Promise<Wire> {
  const base = { method: operation.method, target: `/api/v1${path}${queryText(query)}` };
  if (body === undefined) return { ...base, headers, body: undefined };
  if (!(body instanceof FormData))
    return { ...base, headers: { "content-type": "application/json", ...headers }, body: Buffer.from(toText(body)) };
  const form = new Response(body);
  const type = form.headers.get("content-type") ?? "";
  return { ...base, headers: { "content-type": type, ...headers }, body: Buffer.from(await form.arrayBuffer()) };
}

const plain = (bytes: Buffer, encoding: string | undefined): Buffer => {
  if (encoding === undefined || bytes.length === 0) return bytes;
  return encoding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
};

/** Sends it and takes the whole answer; of a stream of events only its beginning. Fails when no answer comes. */
export function sendWire(url: string, token: string | undefined, wire: Wire): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    const call = request({
      host: target.hostname,
      port: target.port,
      method: wire.method,
      path: wire.target,
      agent,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(wire.body && { "content-length": wire.body.length }),
        ...wire.headers,
      },
    });
    const timer = setTimeout(() => call.destroy(new Error(`No answer to ${wire.method} ${wire.target}`)), PATIENCE_MS);
    const settle = (response: IncomingMessage, bytes: Buffer) => {
      clearTimeout(timer);
      const text = plain(bytes, response.headers["content-encoding"]).toString();
      const isJson = response.headers["content-type"]?.includes("application/json") && text !== "";
      const json = isJson ? JSON.parse(text) : undefined;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
    };
    call.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    call.once("response", (response) => {
      if (response.headers["content-type"]?.startsWith("text/event-stream")) {
        settle(response, Buffer.alloc(0));
        return void call.destroy();
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => settle(response, Buffer.concat(chunks)));
    });
    call.end(wire.body);
  });
}
