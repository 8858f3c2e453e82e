import type { Readable } from "node:stream";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, invalidRequest } from "../errors.ts";

/** A part of a multipart body. A file's stream must be read to its end before the next part comes. */
export type Part =
  | { readonly type: "field"; readonly name: string; readonly value: string }
  | {
      readonly type: "file";
      readonly name: string;
      readonly fileName: string | undefined;
      readonly stream: AsyncIterable<Uint8Array>;
    };

const MAX_FIELDS = 8;
const MAX_FIELD_BYTES = 4096;

/** A scope whose routes take multipart bodies and nothing else; what is beside the point is refused by `readParts`. */
export function inMultipartScope(server: FastifyInstance, mountRoutes: (scope: FastifyInstance) => void): void {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { throwFileSizeLimit: false });
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    mountRoutes(scope);
  });
}

/** Some malformed bodies keep the parser waiting for ever: this long after the last byte there is nothing to wait for. */
const PATIENCE_MS = 1_000;

async function nextPart<T>(parts: AsyncIterator<T>, { raw }: FastifyRequest): Promise<IteratorResult<T>> {
  let timer: NodeJS.Timeout | undefined;
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const startTimer = () => {
    timer = setTimeout(() => reject(invalidRequest("body", MALFORMED)), PATIENCE_MS);
  };
  if (raw.readableEnded) startTimer();
  else raw.once("end", startTimer);
  try {
    return await Promise.race([parts.next(), overdue]);
  } finally {
    clearTimeout(timer);
    raw.off("end", startTimer);
  }
}

const MALFORMED = "is not well-formed multipart/form-data";

/** A file that ends before its part does is the caller's fault. */
async function* wellFormed(file: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* file;
  } catch {
    throw invalidRequest("body", MALFORMED);
  }
}

/** The parts as they arrive. Sizes of files are the reader's to limit. Anything malformed is 400. */
export async function* readParts(request: FastifyRequest): AsyncGenerator<Part> {
  if (!request.isMultipart())
    throw new ApiError("unsupported_media_type", {}, {}, "Send the body as multipart/form-data.");
  const limits = { files: 1, fields: MAX_FIELDS, parts: MAX_FIELDS + 1, fieldSize: MAX_FIELD_BYTES, headerPairs: 20 };
  const parts = request.parts({ limits: { ...limits, fileSize: Number.POSITIVE_INFINITY } });
  try {
    for (let next = await nextPart(parts, request); !next.done; next = await nextPart(parts, request)) {
      const part = next.value;
      if (part.type === "file") {
        yield { type: "file", name: part.fieldname, fileName: part.filename, stream: wellFormed(part.file) };
      } else {
        if (part.valueTruncated) throw invalidRequest(`body.${part.fieldname}`, "is too long");
        yield { type: "field", name: part.fieldname, value: String(part.value) };
      }
    }
  } catch (error) {
    throw error instanceof ApiError ? error : invalidRequest("body", MALFORMED);
  } finally {
    // After a refusal half way the rest still comes in; it is let through, so that the caller gets to read the answer.
    request.raw.unpipe().resume();
  }
}
