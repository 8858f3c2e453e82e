/** Joins small chunks: every array it yields holds at least `bytes` bytes, but for the last. An empty source yields nothing. */
export async function* gathered(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue;
    batch.push(chunk);
    size += chunk.byteLength;
    if (size < bytes) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (size > 0) yield batch;
}
