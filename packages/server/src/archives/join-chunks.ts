import { defined } from "@svc/document/defined";
/**
 * Joins small chunks: each yielded chunk has at least `bytes` bytes, except the last. An empty source yields nothing.
 */
export async function* joinChunks(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let size = 0;
  const join = () => (batch.length === 1 ? defined(batch[0]) : Buffer.concat(batch));
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue;
    batch.push(chunk);
    size += chunk.byteLength;
    if (size < bytes) continue;
    yield join();
    batch = [];
    size = 0;
  }
  if (size > 0) yield join();
}
