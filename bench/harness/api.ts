import { defined } from "@svc/document/defined";
import { Connection } from "./connection.ts";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when text or bytes, else as JSON. */
  readonly body?: unknown;
}

/** The bytes of a request, ready to be sent over and over. */
export function bytesOf({ method, path, headers = {}, body }: Call): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, "host: bench"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body === undefined) return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  const isRaw = typeof body === "string" || Buffer.isBuffer(body);
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body));
  if (!("content-type" in headers)) lines.push("content-type: application/json");
  lines.push(`content-length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]);
}

/** Sends requests outside of measurements, several at once, and reads what they answer. */
export class Api {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(address: string, headers: Readonly<Record<string, string>> = {}) {
    this.#address = address;
    this.#headers = headers;
  }

  /** The bytes of a request to be measured. */
  bytes(call: Call): Buffer {
    return bytesOf({ ...call, headers: { ...this.#headers, ...call.headers } });
  }

  async text(method: string, path: string, body?: unknown): Promise<string> {
    return defined((await this.each(1, () => ({ method, path, ...(body !== undefined && { body }) })))[0]);
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
  async data(method: string, path: string, body?: unknown): Promise<any> {
    return JSON.parse(await this.text(method, path, body)).data;
  }

  /** Sends `count` calls, on 16 connections, and gives their answers in the same order. */
  async each(count: number, callAt: (index: number) => Call): Promise<string[]> {
    const answers: string[] = new Array(count);
    let next = 0;
    const work = async () => {
      if (next >= count) return;
      const connection = await Connection.open(this.#address);
      try {
        while (next < count) {
          const index = next++;
          const call = callAt(index);
          const { status, body } = await connection.ask(this.bytes(call));
          const text = body.toString();
          if (status >= 400) throw new Error(`${call.method} ${call.path}: ${status} ${text.slice(0, 300)}`);
          answers[index] = text;
        }
      } finally {
        connection.close();
      }
    };
    await Promise.all(Array.from({ length: Math.min(16, count) }, work));
    return answers;
  }
}
