import { defined } from "@svc/document/defined";
import { lockBody } from "../../../../bodies/load-body.ts";
import type { Tx } from "../../../../db/database.ts";
import { notFound } from "../../../../errors.ts";
import type { Actor } from "../../../../events/actor.ts";
import { checkExpected, type Expected, requireExpected } from "../../../../http/preconditions.ts";
import { loadSetOf, targetsOf } from "../../../library/language-versions/load-set.ts";
import { recordLocalization, unitEntries } from "../audit.ts";
import { lockState } from "../queries.ts";
import { loadSides, unitOf } from "./represent-unit.ts";
import { saveUnits } from "./save-units.ts";
import { findUnit } from "./unit-queries.ts";
import { agree, originOf, type Unit } from "./unit-state.ts";

export interface Review {
  readonly workspaceId: string;
  readonly documentId: string;
  readonly unitId: string;
  readonly status: "current" | "ignored";
  readonly expected: Expected | undefined;
  readonly actor: Actor;
}

/** Stores a person's review of one unit, for the version of the target that was sent. */
export async function reviewUnit(tx: Tx, review: Review) {
  const { workspaceId, unitId, actor } = review;
  const loaded = await loadSetOf(tx, workspaceId, review.documentId);
  const { document, source } = loaded;
  const targets = document.variant_role === "target" ? [document] : targetsOf(loaded);
  const targetIds = targets.map(({ id }) => id);
  const { document_id: documentId } = await findUnit(tx, workspaceId, targetIds, unitId);
  const expected = requireExpected(review.expected);
  checkExpected(expected, (await lockBody(tx, { workspaceId, documentId })).version);
  const state = await lockState(tx, workspaceId, documentId);
  if (!state) throw notFound("translation_unit", unitId);
  const before = await findUnit(tx, workspaceId, [documentId], unitId);
  const after = reviewed(before, review.status);
  await saveUnits(tx, state, [{ before, after }]);
  const entries = unitEntries("review", state, [{ before, after }]);
  await recordLocalization(tx, { workspaceId, sourceId: source.id, actor }, entries);
  const sides = await loadSides(tx, source, defined(targets.find(({ id }) => id === documentId)));
  return unitOf(after, sides);
}

/** `current` confirms that both sides match as they are; it resolves a conflict. */
function reviewed(unit: Unit, status: Review["status"]): Unit {
  if (status === "ignored" || unit.source_hash === null) return { ...unit, review_status: status };
  const origin = originOf(unit) === "machine" ? "machine" : "manual";
  return { ...agree(unit, origin), review_status: status };
}
