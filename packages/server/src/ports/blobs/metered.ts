import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { BlobTooLarge, type PutOptions, type StoredBlob } from "./blob-store.ts";

/** Counts and hashes what passes, ends with BlobTooLarge or the abort's reason. `result` is valid after the end. */
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

/** Passes the chunks on; an abort is felt at once, also while the source is silent. */
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

/** A stream whose read is pending hears only `destroy`. Nothing is awaited: a silent source would keep us waiting. */
function close<T>(source: AsyncIterable<T>, iterator: AsyncIterator<T>): void {
  if (source instanceof Readable) source.destroy();
  else iterator.return?.().catch(() => undefined);
}
