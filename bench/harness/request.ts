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
