import { Type } from "typebox";
import { baseRoles } from "../../../db/schema/tables/rights.ts";
import { idInBody, named, nullable, object, oneOf } from "../../../http/schemas.ts";

const role = () => oneOf(baseRoles);
/** Members and groups that one knowledge base may name. */
const MAX_ENTRIES = 1000;

export const Access = named(
  "KnowledgeBaseAccess",
  object({
    default_role: nullable(
      oneOf(baseRoles, "Of every member who has no higher one here; null: their role in the workspace."),
    ),
    members: Type.Array(object({ user_id: idInBody(), role: role() }), {
      maxItems: MAX_ENTRIES,
      description: "`none` for a member beats groups and default.",
    }),
    groups: Type.Array(object({ group_id: idInBody(), role: role() }), { maxItems: MAX_ENTRIES }),
  }),
);

export const exampleAccess = {
  default_role: "none",
  members: [{ user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", role: "editor" }],
  groups: [{ group_id: "grp_01K9ZQ4T6N4Y3V7J8W2M5R1XCE", role: "viewer" }],
};
