import type { Readable } from "node:stream";

/** Stores attachment files. Both implementations pass one contract test. */
export interface BlobStore {
  /** Stores the whole stream or nothing; an earlier blob with that key is replaced in one step. */
  put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>;
  /** Throws BlobNotFound, or BlobRangeInvalid if `start` is behind the end, before it returns the stream. */
  get(key: string, range?: BlobRange): Promise<BlobContent>;
  head(key: string): Promise<BlobInfo | undefined>;
  /** Deleting a missing blob is not an error. */
  delete(key: string): Promise<void>;
  /**
   * Every blob whose key begins with `prefix`, in no particular order. Never lists files that this server did not
   * write.
   */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Removes leftovers of unfinished uploads from before `olderThan`; returns how many. */
  removeAbandoned(olderThan: Date): Promise<number>;
}

export interface PutOptions {
  /** One byte more throws BlobTooLarge, as soon as that byte arrives. */
  readonly maxBytes: number;
  /** Aborting throws the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
  /** Sees every chunk as it passes, to detect a type or a size; must not change or keep it. */
  readonly onChunk?: ((chunk: Uint8Array) => void) | undefined;
  /** The store owns the chunks: nobody else reads them again, so it may free their memory. */
  readonly takesChunks?: boolean | undefined;
}

export interface StoredBlob {
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Byte positions from 0, both inclusive, as in an HTTP range; an `end` behind the blob's end is cut to it. */
export interface BlobRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

export interface BlobContent {
  /** The caller reads it to the end or destroys it. */
  readonly stream: Readable;
  /** The size of the whole blob, whatever the range. */
  readonly size: number;
  /** The length of the stream in bytes. */
  readonly length: number;
}

export interface BlobInfo {
  readonly size: number;
  readonly modified: Date;
}

export interface ListedBlob extends BlobInfo {
  readonly key: string;
}

export class BlobTooLarge extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`the file is larger than ${limit} bytes`);
    this.name = "BlobTooLarge";
    this.limit = limit;
  }
}

export class BlobNotFound extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`there is no blob ${key}`);
    this.name = "BlobNotFound";
    this.key = key;
  }
}

export class BlobRangeInvalid extends Error {
  /** The size of the whole blob, for `Content-Range: bytes *\/size`. */
  readonly size: number;

  constructor(size: number) {
    super(`the range lies outside of the ${size} bytes`);
    this.name = "BlobRangeInvalid";
    this.size = size;
  }
}

/** The store refused or could not be reached. `reason` is the store's own error code, if it gave one. */
export class BlobStoreFailure extends Error {
  readonly status: number | undefined;
  readonly reason: string | undefined;

  constructor(message: string, status?: number, reason?: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BlobStoreFailure";
    this.status = status;
    this.reason = reason;
  }
}
