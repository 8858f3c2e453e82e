import { request } from "node:http";
import { checkAnswer } from "../check-answer.ts";
import type { Loose } from "../client.ts";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Got {
  readonly status: number;
  readonly text: string;
  readonly body: Loose;
  readonly replayed: boolean;
}

const PATIENCE_MS = 20_000;

/** One try on a connection of its own; undefined when no whole answer came. */
export function sendOnce(url: string, token: string, { method, path, body, headers }: Sent): Promise<Got | undefined> {
  const text = body === undefined ? "" : JSON.stringify(body);
  return new Promise((resolve) => {
    const call = request(`${url}/api/v1${path}`, {
      method,
      agent: false,
      timeout: PATIENCE_MS,
      headers: {
        authorization: `Bearer ${token}`,
        connection: "close",
        ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...headers,
      },
    });
    const giveUp = () => resolve(undefined);
    call.once("error", giveUp).once("timeout", () => call.destroy());
    call.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("close", giveUp).once("error", giveUp);
      response.once("end", () => {
        if (!response.complete) return giveUp();
        const whole = Buffer.concat(chunks).toString();
        const parsed = whole === "" ? undefined : JSON.parse(whole);
        const status = response.statusCode ?? 0;
        checkAnswer(method, `/api/v1${path}`, status, parsed);
        resolve({ status, text: whole, body: parsed, replayed: response.headers["idempotency-replayed"] === "true" });
      });
    });
    call.end(text);
  });
}
