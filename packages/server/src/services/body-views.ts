import type { BlockPlaces } from "@svc/document/diff";
import type { Node } from "@svc/document/types";
import type { Tx } from "../db/database.ts";
import type { DocumentKey } from "../db/document-key.ts";
import type { AttachmentRow, DocumentRow } from "../db/schema/tables/documents.ts";
import type { Actor } from "../events/actor.ts";

/**
 * The kind of write that changed a body. A `created` document is new to everybody: nothing is stored for it yet. A
 * `restored` one comes back from the trash.
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
  /** A fold of edits in the browser: it makes no snapshot. */
  | "live";

/** The effect of one write on a body. When a document is created or restored, `before` is empty. */
export interface BodyDelta {
  readonly document: DocumentRow;
  readonly revision: number;
  readonly beforeVersion: string | null;
  readonly version: string;
  readonly before: readonly Node[];
  readonly after: readonly Node[];
  /** The changes by top-level block; positions are indexes of `before` and `after`. */
  readonly changes: readonly BlockPlaces[];
  readonly actor: Actor;
  readonly reason: ChangeReason;
}

/** The hooks of a view, which run in the transaction of a write. `App` are the services. */
export interface BodyView<App> {
  readonly name: string;
  bodyChanged?(tx: Tx, delta: BodyDelta, app: App): Promise<void>;
  /** The title, place or settings changed; the body did not. */
  metadataChanged?(tx: Tx, before: DocumentRow, after: DocumentRow, app: App): Promise<void>;
  /** A folder has another name or place, and so have the paths of everything in it. */
  folderMoved?(tx: Tx, folder: { readonly workspace_id: string; readonly id: number }, app: App): Promise<void>;
  /** The attachment's row is deleted: nothing can restore the file. */
  attachmentRemoved?(tx: Tx, attachment: AttachmentRow, app: App): Promise<void>;
  /** The documents have left the live tables. */
  documentsRemoved?(tx: Tx, workspaceId: string, documents: readonly DocumentRow[], app: App): Promise<void>;
}

/** The views that every change of a document goes through, in order. */
export type BodyViews<App> = readonly BodyView<App>[];

/**
 * Refuses a new state of a body by throwing. It runs under the lock of the body's row, before anything is stored, and
 * gets the blocks between the first and the last change; for a new document `before` is empty. Blocks that did not change
 * are the same objects in both lists.
 */
export type BodyGuard = (tx: Tx, key: DocumentKey, before: readonly Node[], after: readonly Node[]) => Promise<void>;
