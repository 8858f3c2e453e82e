import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { BlobTooLarge, type PutOptions, type StoredBlob } from "./blob-store.ts";

/** Counts and hashes the chunks; throws BlobTooLarge or the abort's reason. `result` is valid after the end. */
export function metered(source: AsyncIterable<Uint8Array>, { maxBytes, signal, onChunk }: PutOptions) {
  const hash = createHash("sha256");
  let size = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of untilAborted(source, signal)) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new BlobTooLarge(maxBytes);
      hash.update(chunk);
      onChunk?.(chunk);
      yield chunk;
    }
    signal?.throwIfAborted();
  }
  const result = (): StoredBlob => ({ size, sha256: hash.digest("hex") });
  return { chunks: chunks(), result };
}

/** Passes the chunks on; an abort takes effect at once, even while the source is silent. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let interrupt: ((reason: unknown) => void) | undefined;
  const onAbort = () => interrupt?.(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  const next = () =>
    new Promise<IteratorResult<T>>((resolve, reject) => {
      interrupt = reject;
      iterator.next().then(resolve, reject);
    });
  let isOver = false;
  try {
    while (!signal?.aborted) {
      const step = await next();
      isOver = step.done === true;
      if (step.done) return;
      yield step.value;
    }
    throw signal.reason;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    if (!isOver) close(source, iterator);
  }
}

/**
 * A stream with a pending read reacts only to `destroy`. Nothing is awaited, because a silent source would never
 * answer.
 */
function close<T>(source: AsyncIterable<T>, iterator: AsyncIterator<T>): void {
  if (source instanceof Readable) source.destroy();
  else iterator.return?.().catch(() => undefined);
}
