import type { View } from "../../bodies/view.ts";
import { liveTopic, removeLive } from "../../domain/live/queries.ts";

/** Deletes the live state at once when its document is removed, so that open editors learn of it. */
export const liveView: View = {
  name: "live",
  documentsRemoved: async (tx, workspaceId, documents) => {
    const ids = documents.map(({ id }) => id);
    await removeLive(tx, workspaceId, ids);
    for (const id of ids) tx.announce(liveTopic(id));
  },
};
