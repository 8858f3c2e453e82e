/** A file of the folder that a document shows or links to, as it was when it was last carried over. */
export interface CarriedFile {
  readonly attachment_id: string;
  readonly sha256: string;
  readonly size: number;
  readonly modified: number;
}

/** By an address in a document: how its file writes it. */
export type Addresses = Readonly<Record<string, string>>;

/** How the addresses in a file stand for those in its document. */
export interface Carried {
  /** By the address in the file: the one in the document. */
  readonly links: Readonly<Record<string, string>>;
  /** By path. */
  readonly files: Readonly<Record<string, CarriedFile>>;
  /** Whether an address names something that is not on the other side yet. */
  readonly waiting: boolean;
}

export const NOTHING_CARRIED: Carried = { links: {}, files: {}, waiting: false };
