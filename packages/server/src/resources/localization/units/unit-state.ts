import type { TranslationUnitRow } from "../../../db/schema/tables/localization.ts";
import type { Tally } from "../../documents/translation-state.ts";

export type Freshness = "missing" | "source_changed" | "current" | "conflict" | "orphaned";
type Origin = "none" | "machine" | "manual";
export type Unit = Readonly<TranslationUnitRow>;

/** An untouched copy of the source is no translation, unless a person has said that it may stay. */
const isTranslated = ({ target_hash, copied_hash, agreed_target_hash }: Unit): boolean =>
  target_hash !== null && (target_hash !== copied_hash || target_hash === agreed_target_hash);

/** Follows from the two sides as they are and as they last agreed: never stored, so never wrong. */
export function freshnessOf(unit: Unit): Freshness {
  if (unit.source_hash === null) return "orphaned";
  if (!isTranslated(unit)) return "missing";
  if (unit.agreed_source_hash === unit.source_hash) return "current";
  return unit.agreed_target_hash === unit.target_hash ? "source_changed" : "conflict";
}

/** How the target's text came about. */
export function originOf(unit: Unit): Origin {
  if (!isTranslated(unit)) return "none";
  return unit.target_hash === unit.agreed_target_hash ? (unit.agreed_origin ?? "manual") : "manual";
}

/** What a person confirmed was another pair of texts. */
const lapsed = (unit: Unit): Unit["review_status"] =>
  unit.review_status === "current" ? "unreviewed" : unit.review_status;

/** Both sides as they are now belong together. */
export const agree = (unit: Unit, origin: "machine" | "manual"): Unit => ({
  ...unit,
  agreed_source_hash: unit.source_hash,
  agreed_target_hash: unit.target_hash,
  agreed_origin: origin,
});

/** The source block has this line now; null when it is gone. A candidate for another line is worth nothing. */
export function withSource(unit: Unit, hash: string | null): Unit {
  if (hash === unit.source_hash) return unit;
  return { ...unit, source_hash: hash, candidate: null, review_status: lapsed(unit) };
}

/**
 * The target block was given this line; null when it is empty or gone. Machine text agrees with its source. By hand,
 * the first text put into an empty block does, unless it is the one that last agreed come back.
 */
export function withTarget(unit: Unit, hash: string | null, by: "hand" | "machine"): Unit {
  if (hash === unit.target_hash && by === "hand") return unit;
  const changed: Unit = { ...unit, target_hash: hash };
  if (by === "machine") return { ...agree(changed, "machine"), candidate: null };
  const reviewed: Unit = { ...changed, review_status: lapsed(unit) };
  const isFirst = !isTranslated(unit) && isTranslated(reviewed) && unit.source_hash !== null;
  return isFirst && hash !== unit.agreed_target_hash ? agree(reviewed, "manual") : reviewed;
}

/** Whether a unit was made for a formula, before formulas were left alone. An orphan is of the text that stood there. */
export const isOfFormula = (unit: Unit, formulas: ReadonlySet<string>): boolean =>
  unit.source_hash !== null && formulas.has(unit.source_block_id);

/** The unit as one that stands for nothing, and goes. */
export const withoutSides = (unit: Unit): Unit => ({ ...unit, source_hash: null, target_present: 0 });

/** A unit that stands for nothing on either side. */
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

/** Counts a unit in (1) or out (-1). */
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
