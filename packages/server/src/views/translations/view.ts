import type { View } from "../../bodies/view.ts";
import { deleteStates } from "../../domain/knowledge/localization/queries.ts";
import { reconcile } from "./reconcile.ts";
import { sourceChanged } from "./source-changed.ts";
import { targetChanged } from "./target-changed.ts";

/** Keeps translation units consistent with both sides, in the transaction of every write. */
export const translationsView: View = {
  name: "translations",
  bodyChanged: async (tx, delta) => {
    const { variant_role } = delta.document;
    if (variant_role === "source") await sourceChanged(tx, delta);
    if (variant_role !== "target") return;
    if (delta.beforeVersion === null) await reconcile(tx, delta);
    else await targetChanged(tx, delta);
  },
  documentsRemoved: async (tx, workspaceId, documents) => {
    const targets = documents.filter(({ variant_role }) => variant_role === "target").map(({ id }) => id);
    if (targets.length > 0) await deleteStates(tx, workspaceId, targets);
  },
};
