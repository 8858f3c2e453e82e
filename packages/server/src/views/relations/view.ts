import type { View } from "../../bodies/view.ts";
import { deleteRelationsOf } from "../../domain/knowledge/relations/queries.ts";
import { carryLinks } from "./carry-links.ts";
import { checkLinksToDeleted } from "./deferred-checks.ts";
import { claimLinks, hasNewName, releaseLinks } from "./named-pages.ts";
import { rebuildJob, startRelations } from "./rebuild-job.ts";
import { requestResolving } from "./request-resolving.ts";
import { lateResolveJob, resolveJob } from "./resolve-job.ts";
import { advanceView, listLinks, setView } from "./store.ts";
import { changedLinks, isSame, reconcile, updateChanged, ViewCheck } from "./update-links.ts";
import { wantedLinks } from "./wanted-links.ts";

/** Stores the links of every body that point into this service. An edit touches only those of the changed blocks. */
export const relationsView: View = {
  name: "relations",
  jobs: [rebuildJob, resolveJob, lateResolveJob],
  start: startRelations,
  lastStep: "relations",

  async bodyChanged(tx, delta, app) {
    const { document, beforeVersion, version } = delta;
    const { workspace_id, id } = document;
    const origin = { document, createdBy: delta.actor.userId };
    if (beforeVersion !== null) {
      const moved = advanceView.enqueueForRows(tx, {
        workspaceId: workspace_id,
        documentId: id,
        from: beforeVersion,
        to: version,
      });
      const links = changedLinks(delta);
      if (isSame(links)) return tx.beforeCommit(new ViewCheck(tx, document, moved));
      if ((await moved()).length > 0) return updateChanged(tx, links, origin);
    }
    const stored = delta.reason === "created" ? [] : await listLinks(tx, workspace_id, id);
    await reconcile(tx, stored, wantedLinks(delta.after, document.knowledge_base_id), origin);
    await setView(tx, workspace_id, id, version);
    if (beforeVersion === null) await claimLinks(tx, document, app);
  },

  async metadataChanged(tx, before, after, app) {
    if (before.knowledge_base_id !== after.knowledge_base_id) await carryLinks(tx, after, app);
    if (hasNewName(before, after)) await claimLinks(tx, after, app);
  },

  folderMoved: (tx, { workspace_id, id }, app) => requestResolving(tx, app, workspace_id, { folder_id: id }),

  async documentsRemoved(tx, workspaceId, documents, app) {
    const ids = documents.map((document) => document.id);
    await deleteRelationsOf(tx, workspaceId, ids);
    await releaseLinks(tx, app, workspaceId, ids);
    checkLinksToDeleted(tx, workspaceId, ids);
  },
};
