import type { Readable } from "node:stream";

export interface RemotePicture {
  readonly contentType: string;
  readonly size: number;
  readonly stream: Readable;
}

/** Pictures of other hosts, fetched at their first display and cached for all processes. */
export interface RemotePictures {
  /** Returns the picture at an address; undefined if it cannot be fetched now. Waits for its host for a few seconds at most. */
  read(address: string): Promise<RemotePicture | undefined>;
  close(): Promise<void>;
}
