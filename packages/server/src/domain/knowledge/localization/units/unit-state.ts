import type { TranslationUnitRow } from "../../../../db/schema/tables/localization.ts";
import type { Tally } from "../../../library/documents/translation-state.ts";

export type Freshness = "missing" | "source_changed" | "current" | "conflict" | "orphaned";
type Origin = "none" | "machine" | "manual";
export type Unit = Readonly<TranslationUnitRow>;

/** An untouched copy of the source is not a translation, unless a person has confirmed it. */
const isTranslated = ({ target_hash, copied_hash, agreed_target_hash }: Unit): boolean =>
  target_hash !== null && (target_hash !== copied_hash || target_hash === agreed_target_hash);

/** Derived from both sides and from their state when they last agreed. It is never stored, so it cannot be wrong. */
export function freshnessOf(unit: Unit): Freshness {
  if (unit.source_hash === null) return "orphaned";
  if (!isTranslated(unit)) return "missing";
  if (unit.agreed_source_hash === unit.source_hash) return "current";
  return unit.agreed_target_hash === unit.target_hash ? "source_changed" : "conflict";
}

/** The origin of the target's text. */
export function originOf(unit: Unit): Origin {
  if (!isTranslated(unit)) return "none";
  return unit.target_hash === unit.agreed_target_hash ? (unit.agreed_origin ?? "manual") : "manual";
}

/** A person's confirmation applied to another pair of texts. */
const lapsed = (unit: Unit): Unit["review_status"] =>
  unit.review_status === "current" ? "unreviewed" : unit.review_status;

/** Marks both sides as matching. */
export const agree = (unit: Unit, origin: "machine" | "manual"): Unit => ({
  ...unit,
  agreed_source_hash: unit.source_hash,
  agreed_target_hash: unit.target_hash,
  agreed_origin: origin,
});

/** Sets the hash of the source line; null if it is gone. A candidate for another line is dropped. */
export function withSource(unit: Unit, hash: string | null): Unit {
  if (hash === unit.source_hash) return unit;
  return { ...unit, source_hash: hash, candidate: null, review_status: lapsed(unit) };
}

/**
 * Sets the hash of the target line; null if it is empty or gone. Machine text agrees with its source. So does the first
 * manual text in an empty block, unless it restores the text that last agreed.
 */
export function withTarget(unit: Unit, hash: string | null, by: "hand" | "machine"): Unit {
  if (hash === unit.target_hash && by === "hand") return unit;
  const changed: Unit = { ...unit, target_hash: hash };
  if (by === "machine") return { ...agree(changed, "machine"), candidate: null };
  const reviewed: Unit = { ...changed, review_status: lapsed(unit) };
  const isFirst = !isTranslated(unit) && isTranslated(reviewed) && unit.source_hash !== null;
  return isFirst && hash !== unit.agreed_target_hash ? agree(reviewed, "manual") : reviewed;
}

/**
 * Whether a unit was created for a formula, before formulas were excluded. An orphan belongs to the text that preceded
 * it.
 */
export const isOfFormula = (unit: Unit, formulas: ReadonlySet<string>): boolean =>
  unit.source_hash !== null && formulas.has(unit.source_block_id);

/** The unit without its blocks, which marks it for deletion. */
export const withoutSides = (unit: Unit): Unit => ({ ...unit, source_hash: null, target_present: 0 });

/** Whether a unit has no block on either side. */
export const isGone = (unit: Unit): boolean => unit.source_hash === null && unit.target_present === 0;

export const emptyTally: Tally = {
  missing: 0,
  source_changed: 0,
  current: 0,
  conflict: 0,
  ignored: 0,
  orphaned: 0,
  open_orphans: 0,
  linked: 0,
  unlinked: 0,
};

/** Adds a unit to the tally (1) or subtracts it (-1). */
export function count(tally: Tally, unit: Unit, by: 1 | -1): Tally {
  const freshness = freshnessOf(unit);
  const isOrphan = freshness === "orphaned";
  const key = !isOrphan && unit.review_status === "ignored" ? "ignored" : freshness;
  return {
    ...tally,
    [key]: tally[key] + by,
    open_orphans: tally.open_orphans + (isOrphan && unit.review_status === "unreviewed" ? by : 0),
    linked: tally.linked + (unit.target_present === 1 ? by : 0),
    unlinked: tally.unlinked + (!isOrphan && unit.target_present === 0 ? by : 0),
  };
}
