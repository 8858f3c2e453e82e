import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalidRequest, refuseEncoded } from "../../errors.ts";
import { boundaryOf, partHeaders } from "./multipart-headers.ts";

/** A part of a multipart body. The unread rest of a file is skipped when the next part is requested. */
export type Part =
  | { readonly type: "field"; readonly name: string; readonly value: string }
  | {
      readonly type: "file";
      readonly name: string;
      readonly fileName: string;
      readonly stream: AsyncGenerator<Uint8Array>;
    };

const MAX_FIELDS = 8;
const MAX_FIELD_BYTES = 4096;
const CARRIAGE_RETURN = 13;
const MAX_HEADER_BYTES = 8192;
const MAX_PREAMBLE_BYTES = 8192;

const malformed = (): ApiError => invalidRequest("body", "is not well-formed multipart/form-data");

/** A scope whose routes read multipart bodies themselves; `readParts` refuses other bodies. */
export function inMultipartScope(server: FastifyInstance, mountRoutes: (scope: FastifyInstance) => void): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    mountRoutes(scope);
  });
}

const FORM_HINT = "Send a form with the header Content-Type: multipart/form-data; boundary=….";

/** Yields the parts as they arrive. The reader limits the sizes of files. A malformed or incomplete body is 400. */
export async function* readParts({ raw }: FastifyRequest): AsyncGenerator<Part> {
  const boundary = boundaryOf(raw.headers["content-type"] ?? "");
  if (boundary === undefined)
    throw new ApiError("unsupported_media_type", { hint: FORM_HINT }, {}, "Send the body as multipart/form-data.");
  const encoded = refuseEncoded(raw.headers["content-encoding"]);
  if (encoded) throw encoded;
  const source = new Source(raw.iterator({ destroyOnReturn: false }), boundary);
  try {
    await source.text(MAX_PREAMBLE_BYTES);
    for (let fields = 0, files = 0; !(await source.atEnd()); ) {
      const { name, fileName } = partHeaders(await source.headers()) ?? refuse();
      if (fileName === undefined ? ++fields > MAX_FIELDS : ++files > 1)
        throw invalidRequest("body", "has too many parts");
      if (fileName === undefined) {
        const value = await source.text(MAX_FIELD_BYTES, `body.${name}`);
        if (value.includes("\0")) throw invalidRequest(`body.${name}`, "must not contain NUL");
        yield { type: "field", name, value };
        continue;
      }
      const stream = source.content();
      yield { type: "file", name, fileName, stream };
      for await (const _ of stream);
    }
  } finally {
    // After a refusal halfway the rest of the body is discarded, so that the caller can read the answer.
    await source.leave();
    raw.resume();
  }
}

function refuse(): never {
  throw malformed();
}

const utf8 = new TextDecoder("utf-8");

/** The bytes of the body, read up to one boundary at a time. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** Begins with a line break, so that the first boundary is found like the others. */
  #rest: Buffer = Buffer.from("\r\n");

  constructor(chunks: AsyncIterableIterator<Buffer>, boundary: string) {
    this.#chunks = chunks;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  /** Stops reading; only then can the rest be discarded. */
  async leave(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next().catch(refuse);
    if (next.done) throw malformed();
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
  }

  /** The number of bytes that cannot be the beginning of a boundary, which starts with a carriage return. */
  #sureLength(): number {
    const tail = Math.max(0, this.#rest.length - this.#delimiter.length + 1);
    const start = this.#rest.indexOf(CARRIAGE_RETURN, tail);
    return start < 0 ? this.#rest.length : start;
  }

  /** Yields the bytes before the next boundary. */
  async *content(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.#rest.indexOf(this.#delimiter);
      const piece = this.#rest.subarray(0, end >= 0 ? end : this.#sureLength());
      this.#rest = this.#rest.subarray(end >= 0 ? end + this.#delimiter.length : piece.length);
      if (piece.length > 0) yield piece;
      if (end >= 0) return;
      await this.#more();
    }
  }

  async text(maxBytes: number, path = "body"): Promise<string> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of this.content()) {
      size += piece.length;
      if (size > maxBytes) throw invalidRequest(path, "is too long");
      pieces.push(piece);
    }
    return utf8.decode(Buffer.concat(pieces));
  }

  /** Whether the boundary that was just passed is the last. */
  async atEnd(): Promise<boolean> {
    while (this.#rest.length < 2) await this.#more();
    return this.#rest.subarray(0, 2).equals(Buffer.from("--"));
  }

  /** Reads the head of the next part. */
  async headers(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end > MAX_HEADER_BYTES || (end < 0 && this.#rest.length > MAX_HEADER_BYTES)) throw malformed();
      if (end >= 0) {
        const head = utf8.decode(this.#rest.subarray(0, end));
        // The line break after the head may be the one before the next boundary: an empty part.
        this.#rest = this.#rest.subarray(end + 2);
        this.#rest = this.#rest.subarray(0, this.#delimiter.length).equals(this.#delimiter)
          ? this.#rest
          : this.#rest.subarray(2);
        return head;
      }
      await this.#more();
    }
  }
}
