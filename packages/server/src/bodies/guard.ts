import type { Node } from "@svc/document/types";
import type { Tx } from "../db/database.ts";
import type { DocumentKey } from "./store.ts";

/**
 * Refuses a new state of a body by throwing. It runs under the lock of the body's row, before anything is stored. It is
 * given what stands between the first and the last change; for a new document `before` is empty. Blocks that did not
 * change are the same objects in both lists.
 */
export type BodyGuard = (tx: Tx, key: DocumentKey, before: readonly Node[], after: readonly Node[]) => Promise<void>;
