import type { BlockPlaces } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import type { Tx } from "../db/database.ts";
import type { DocumentRow } from "../db/schema/tables/documents.ts";
import type { Actor } from "../events/actor.ts";
import type { Route } from "../http/route.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Services } from "../services.ts";

/**
 * What kind of write changed a body. A document that is `created` is new to everybody: nothing is stored of it yet. One
 * that is `restored` comes back from the trash.
 */
export type ChangeReason =
  | "created"
  | "restored"
  | "content"
  | "blocks"
  | "batch"
  | "rollback"
  | "translation"
  | "attachment"
  | "suggestion"
  /** A fold of what people typed in the browser: it makes no snapshot. */
  | "live";

/** What one write did to a body. When a document is created or restored, `before` is empty. */
export interface BodyDelta {
  readonly document: DocumentRow;
  readonly revision: number;
  readonly beforeVersion: string | null;
  readonly version: string;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
  /** Between the two, by top-level block; positions are indexes of `before` and `after`. */
  readonly changes: readonly BlockPlaces[];
  readonly actor: Actor;
  readonly reason: ChangeReason;
}

/** Work of a view beside the requests. */
export interface ViewWork {
  stop(): Promise<void>;
  /** Tells it that there is something to do. */
  wake?(): void;
}

/**
 * Something computed from bodies and kept beside them, in the transaction of the write. It says all that it brings:
 * a folder and a line in `views/index.ts` add a view.
 */
export interface View {
  readonly name: string;
  /** What the API offers of it. */
  readonly routes?: readonly Route[];
  readonly jobs?: readonly JobKind[];
  start?(app: Services): ViewWork;
  /**
   * The rank of its last step before the commit, below `EVENT_RANK` and no other view's. Every transaction takes the rows
   * that its last steps lock in the order of ranks, so no two transactions wait for each other.
   */
  readonly lastStepRank?: number;
  bodyChanged?(tx: Tx, delta: BodyDelta, app: Services): Promise<void>;
  /** Title, place or settings changed; the body did not. */
  metadataChanged?(tx: Tx, before: DocumentRow, after: DocumentRow, app: Services): Promise<void>;
  /** A folder has another name or place, and with it the paths of all that is in it. */
  folderMoved?(tx: Tx, folder: { readonly workspace_id: string; readonly id: number }, app: Services): Promise<void>;
  /** The documents have left the live tables. */
  documentsRemoved?(tx: Tx, workspaceId: string, documents: readonly DocumentRow[], app: Services): Promise<void>;
}
