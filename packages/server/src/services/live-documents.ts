import type { WebSocket } from "ws";
import type { DocumentKey } from "../db/document-key.ts";

/** A person who edits in the browser. */
export interface Editor {
  readonly workspaceId: string;
  readonly sessionHash: string;
  readonly userId: string;
}

/** A socket that asks to edit a document. */
export interface Joining {
  readonly socket: WebSocket;
  readonly editor: Editor;
  readonly key: DocumentKey;
  readonly requestId: string;
  readonly path: string;
  /** The live state that the tab has, and the last row of it. */
  readonly epoch: string;
  readonly seq: number;
  /** The client id that the tab had before, and the proof of it. */
  readonly client: number;
  readonly resume: string;
}

/** A live state that was folded into its body. */
export interface Reconciled {
  readonly epoch: string;
  /** Every update up to this one is in the body. */
  readonly seq: number;
  readonly version: string;
}

/** The counters of live editing in this process, for the operator. */
export interface LiveCounters {
  /** Updates of editors that were stored. */
  readonly updates: number;
  readonly folds: number;
  readonly failedFolds: number;
  readonly foldSeconds: number;
}

/** The documents that people edit through this process. */
export interface LiveDocuments {
  readonly sockets: number;
  readonly documents: number;
  readonly loaded: { readonly size: number };
  readonly figures: LiveCounters;
  /** Returns the age in seconds of the oldest edit that is not in its body. */
  oldestUnfolded(): Promise<number>;
  /** Folds a document's live state into its body now. */
  reconcile(key: DocumentKey): Promise<Reconciled | undefined>;
  /** Does the same for a reader, who gets the rest where the body refuses a part. */
  bringIn(key: DocumentKey): Promise<void>;
  /** Does so only if there are new edits, and returns whether there were. It fails quietly while the store takes no writes. */
  bringInNew(key: DocumentKey): Promise<boolean>;
  join(joining: Joining): Promise<void>;
  /** Returns a client id for a tab that has no socket yet, and its proof; undefined in an epoch that has ended. */
  giveClient(
    key: DocumentKey,
    epoch: string,
    userId: string,
  ): Promise<{ readonly client: number; readonly resume: string } | undefined>;
  /** Closes every socket; the tabs connect again. */
  dropSockets(): Promise<void>;
  /** Stores what was received, then closes every socket and accepts no new ones. */
  close(): Promise<void>;
}
