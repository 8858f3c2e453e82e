import type { Loose } from "../../support/client.ts";

export type RemarkKind = "comment" | "suggestion" | "acceptance" | "property";

/** One write about a document, under a key, sent until it is answered. Its text is its alone. */
export interface Remark {
  readonly kind: RemarkKind;
  readonly key: string;
  readonly text: string;
  readonly documentId: string;
  /** The suggestion that is accepted. */
  readonly about?: Loose;
  answer: Loose | undefined;
}

/** A client's knowledge of its document: the last acknowledged version, and the write in flight. */
export interface KnownDocument {
  readonly id: string;
  version: string | undefined;
  title: string | undefined;
  /** Deleted, and that was acknowledged. */
  gone: boolean;
  /** A write was sent and not answered: it may have happened or not. */
  open: boolean;
  isOpenDelete: boolean;
}

interface KnownFile {
  readonly id: string;
  readonly sha256: string;
  state: "there" | "open" | "gone";
}

/** A creation under an idempotency key, which is sent until it is answered. */
interface KeyedCreation {
  readonly key: string;
  readonly title: string;
  answer: string | undefined;
}

/** Everything that clients were told under load, for the checker. */
export class LoadRecord {
  readonly documents: KnownDocument[] = [];
  readonly files: KnownFile[] = [];
  readonly keyed: KeyedCreation[] = [];
  readonly remarks: Remark[] = [];
  readonly jobs: string[] = [];
  /** Ids of events in the order in which each stream reader got them. */
  readonly streams: number[][] = [];
  /** Answers that no fault excuses. */
  readonly unexpected: string[] = [];
  /** Creations that were not answered: so many documents may be there that nobody knows of. */
  openCreations = 0;
  /** Writes: a client that only reads could do so for ever. */
  acknowledged = 0;
  unanswered = 0;

  created(id: string, version?: string, title?: string): KnownDocument {
    const known = { id, version, title, gone: false, open: false, isOpenDelete: false };
    this.documents.push(known);
    return known;
  }
}
