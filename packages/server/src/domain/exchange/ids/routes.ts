import { Type } from "typebox";
import { wholeList } from "../../../http/answer.ts";
import { type Route, read } from "../../../http/route.ts";
import { idEnds, object, oneOf } from "../../../http/schemas.ts";
import { findIds, idKinds } from "./find-ids.ts";

export const idRoutes: Route[] = [
  read({
    operation: "find_ids",
    path: "/ids",
    tag: "Documents",
    summary: "Whole ids of things that are named by the end of their id.",
    description:
      "At most 10. Agents and the `svc` command show ids of comments, suggestions, stated relations and translation jobs so. A deleted comment counts. Documents, blocks, concepts and candidates are found by `id_ends` of their lists.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    query: object({ kind: oneOf(idKinds, "The kind of resource that the id names."), id_ends: idEnds() }),
    success: {
      status: 200,
      description: "Those that end so; none where nothing does.",
      data: object({ id: Type.String(), kind: oneOf(idKinds) }),
      list: true,
      example: { id: "com_01K9ZQ4T6N4Y3V7J8W2M5R1XCM", kind: "comment" },
    },
    handler: async ({ caller, db, query: { kind, id_ends } }) => {
      const ids = await findIds(db, caller.workspaceId, kind, id_ends);
      return wholeList(ids.map((id) => ({ id, kind })));
    },
  }),
];
