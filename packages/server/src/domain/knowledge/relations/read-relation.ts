import type { Reader } from "../../../db/database.ts";
import { notFound } from "../../../errors.ts";
import { findInline, findManual } from "./queries.ts";
import { relationOf } from "./represent.ts";
import { targetStates } from "./target-states.ts";

/** One relation of either origin, as seen from its source. */
export async function readRelation(db: Reader, workspaceId: string, id: string, vias: readonly string[]) {
  const relation = (await findManual(db, workspaceId, id)) ?? (await findInline(db, workspaceId, vias, id));
  if (!relation) throw notFound("relation", id);
  const stateOf = await targetStates(db, workspaceId, [relation]);
  return relationOf(relation, "outgoing", stateOf(relation));
}
