import type { FileHandle } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";

/**
 * Large enough that few reads are needed. As a stream, which allocates a buffer for every piece, smaller ones are
 * cheaper.
 */
const WRITTEN_BYTES = 256 * 1024;
const STREAMED_BYTES = 64 * 1024;

/** A part of an open file, which it closes at its end. Either read as a stream or written with `writeTo`. */
export class FileBytes extends Readable {
  readonly #file: FileHandle;
  #at: number;
  readonly #end: number;

  /** From the byte at `start` to the one before `end`. */
  constructor(file: FileHandle, start: number, end: number) {
    super({ highWaterMark: STREAMED_BYTES });
    this.#file = file;
    this.#at = start;
    this.#end = end;
  }

  override _read(size: number): void {
    this.#fill(Buffer.allocUnsafeSlow(Math.min(size, this.#end - this.#at))).then(
      (piece) => this.push(piece ?? null),
      (error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#file.close().then(() => done(error), done);
  }

  /**
   * Writes everything, reading the next piece while the last one is being written, in two reused buffers: half the work
   * of a stream, which needs new memory for every piece.
   */
  async writeTo(to: Writable): Promise<void> {
    const size = Math.min(WRITTEN_BYTES, this.#end - this.#at);
    let [reading, writing] = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
    let written: Promise<void> = Promise.resolve();
    try {
      for (let piece = await this.#fill(reading); piece; piece = await this.#fill(reading)) {
        await written;
        written = write(to, piece);
        // Awaited in the next round; this only prevents an early failure from being reported as unhandled.
        written.catch(() => undefined);
        [reading, writing] = [writing, reading];
      }
      await written;
    } finally {
      this.destroy();
    }
  }

  /** Reads as many bytes as fit into the buffer or are left; undefined at the end. */
  async #fill(buffer: Buffer): Promise<Buffer | undefined> {
    const length = Math.min(buffer.length, this.#end - this.#at);
    if (length === 0) return undefined;
    const { bytesRead } = await this.#file.read(buffer, 0, length, this.#at);
    if (bytesRead === 0) throw new Error("The file became shorter while it was read.");
    this.#at += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}

const write = (to: Writable, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    to.write(piece, (error) => (error ? reject(error) : resolve()));
  });
