import type { View } from "../../bodies/view.ts";
import { wakeSearch } from "./background/maintenance.ts";
import { indexLedgerOf } from "./write/index-ledger.ts";

/** Keeps the search index in step with every write, in its transaction. */
export const searchView: View = {
  name: "search",
  async bodyChanged(tx, delta, { database }) {
    indexLedgerOf(tx, delta.document.workspace_id, wakeSearch(database)).bodyChanged(delta);
  },
  /** Where a document stands and of what kind it is are looked up when searching; only its title is indexed. */
  async metadataChanged(tx, before, after, { database }) {
    if (before.title !== after.title) indexLedgerOf(tx, after.workspace_id, wakeSearch(database)).titleChanged(after);
  },
  async documentsRemoved(tx, workspaceId, documents, { database }) {
    indexLedgerOf(tx, workspaceId, wakeSearch(database)).removed(documents);
  },
};
