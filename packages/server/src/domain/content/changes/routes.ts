import { ok } from "../../../http/answer.ts";
import { type Route, read } from "../../../http/route.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { decodeWatermark } from "./change-cursor.ts";
import { readChanges } from "./read-changes.ts";
import { Changes, ChangesParams, ChangesQuery, exampleChanges } from "./schema.ts";

export const changeRoutes: Route[] = [
  read({
    operation: "list_changes",
    path: "/documents/{id}/changes",
    tag: "Changes",
    summary: "The changes of the document's blocks since a cursor.",
    description: [
      "The first call, without `after`, gives the manifest of all top-level blocks and a cursor. Later calls give one",
      "item per block and write, write after write; a change inside of a block is `modified` on its top-level block.",
      "",
      "To follow: for the items of one `source_version`, take every block that is mentioned out of your list, then put",
      "those that have a `new_position` back in, in the order given, each at that index, with its `type` and `hash`.",
      "Then your list is the manifest of that version.",
    ].join("\n"),
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: ChangesParams,
    query: ChangesQuery,
    errors: ["invalid_cursor"],
    success: { status: 200, description: "The changes.", data: Changes, example: exampleChanges },
    handler: async ({ app, caller, db, params, query }) => {
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      await getDocument(db, key.workspaceId, key.documentId);
      const after = query.after === undefined ? undefined : decodeWatermark(app.secret, params.id, query.after);
      return ok(await readChanges(db, app.secret, key, after, app.config.changeRetention));
    },
  }),
];
