import type { View } from "../../bodies/view.ts";
import { liveTopic, removeLive } from "../../resources/live/queries.ts";

/** A document that goes takes its live state along at once, so that open editors hear of it. */
export const liveView: View = {
  name: "live",
  documentsRemoved: async (tx, workspaceId, documents) => {
    const ids = documents.map(({ id }) => id);
    await removeLive(tx, workspaceId, ids);
    for (const id of ids) tx.announce(liveTopic(id));
  },
};
