/** Keeps a copy of the first `count` bytes that pass through. */
export function firstBytes(count: number) {
  const kept: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk: Uint8Array): void {
      if (size >= count) return;
      const part = Uint8Array.from(chunk.subarray(0, count - size));
      kept.push(part);
      size += part.byteLength;
    },
    bytes: (): Uint8Array => Buffer.concat(kept),
  };
}
