import type { View } from "../../bodies/view.ts";
import type { Tx } from "../../db/database.ts";
import type { Services } from "../../services.ts";
import { startSearch } from "./background/maintenance.ts";
import { forgetFile } from "./files/index-file.ts";
import { startReadingFiles } from "./files/read-files.ts";
import { searchRoutes } from "./routes.ts";
import { type IndexLedger, indexLedgerOf } from "./write/index-ledger.ts";

const NAME = "search";

const ledgerOf = (tx: Tx, workspaceId: string, { wakeView }: Pick<Services, "wakeView">): IndexLedger =>
  indexLedgerOf(tx, workspaceId, () => wakeView(NAME));

/** Updates the search index within the transaction of every write. */
export const searchView: View = {
  name: NAME,
  routes: searchRoutes,
  start(app) {
    const index = startSearch(app);
    const files = startReadingFiles(app);
    return {
      wake() {
        index.wake?.();
        files.wake?.();
      },
      async stop() {
        await Promise.all([index.stop(), files.stop()]);
      },
    };
  },
  lastStep: "search",
  async bodyChanged(tx, delta, app) {
    ledgerOf(tx, delta.document.workspace_id, app).bodyChanged(delta);
  },
  /** A document's folder and type are looked up when searching; only its title is indexed. */
  async metadataChanged(tx, before, after, app) {
    if (before.title !== after.title) ledgerOf(tx, after.workspace_id, app).titleChanged(after);
  },
  async attachmentRemoved(tx, attachment) {
    await forgetFile(tx, attachment);
  },
  async documentsRemoved(tx, workspaceId, documents, app) {
    ledgerOf(tx, workspaceId, app).removed(documents);
  },
};
