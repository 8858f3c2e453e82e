import { defined } from "@svc/document/defined";
import type { Reader } from "../../../../db/database.ts";
import type { DocumentRow } from "../../../../db/schema/tables/documents.ts";
import { loadSides, type Sides } from "./represent-unit.ts";
import { listOrphans, listUnitsBy } from "./unit-queries.ts";
import { type Freshness, freshnessOf, type Unit } from "./unit-state.ts";

const CHUNK = 200;

interface UnitFilter {
  readonly freshness?: Freshness | undefined;
  readonly reviewStatus?: Unit["review_status"] | undefined;
}

/** A unit's sort key: language, whether it is an orphan, position, and the id of the block or unit. */
type Key = readonly (string | number)[];

interface ListedUnit {
  readonly unit: Unit;
  readonly sides: Sides;
  readonly key: Key;
}

/** Units of several targets: by language, in the order of the source, orphans last. */
export async function listUnitPage(
  db: Reader,
  source: DocumentRow,
  targets: readonly DocumentRow[],
  filter: UnitFilter,
  after: Key,
  limit: number,
): Promise<ListedUnit[]> {
  const found: ListedUnit[] = [];
  for await (const listed of walk(db, source, targets, after)) {
    if (filter.freshness !== undefined && freshnessOf(listed.unit) !== filter.freshness) continue;
    if (filter.reviewStatus !== undefined && listed.unit.review_status !== filter.reviewStatus) continue;
    if (found.push(listed) === limit) break;
  }
  return found;
}

async function* walk(
  db: Reader,
  source: DocumentRow,
  targets: readonly DocumentRow[],
  [fromLocale, fromPhase, fromPosition, fromId]: Key,
): AsyncGenerator<ListedUnit> {
  for (const target of targets) {
    const locale = target.locale ?? "";
    if (fromLocale !== undefined && locale < String(fromLocale)) continue;
    const isResumed = locale === fromLocale;
    const sides = await loadSides(db, source, target);
    const key = { workspace_id: target.workspace_id, document_id: target.id };
    if (!isResumed || fromPhase === 0) {
      const start = isResumed ? positionAfter(sides, Number(fromPosition), String(fromId)) : 0;
      for (let i = start; i < sides.sourceBlocks.length; i += CHUNK) {
        const ids = sides.sourceBlocks.slice(i, i + CHUNK).map((block) => block.id);
        const units = new Map((await listUnitsBy(db, key, "source_block_id", ids)).map((u) => [u.source_block_id, u]));
        for (const [offset, id] of ids.entries()) {
          const unit = units.get(id);
          if (unit) yield { unit, sides, key: [locale, 0, i + offset, id] };
        }
      }
    }
    let last = isResumed && fromPhase === 1 ? String(fromId) : "";
    for (;;) {
      const orphans = await listOrphans(db, key, last, CHUNK);
      for (const unit of orphans) yield { unit, sides, key: [locale, 1, 0, unit.id] };
      if (orphans.length < CHUNK) break;
      last = defined(orphans.at(-1)).id;
    }
  }
}

/**
 * The source may have changed between two pages: continue after the block if it still exists, otherwise from its
 * position.
 */
function positionAfter({ sourceBlocks }: Sides, position: number, id: string): number {
  const index = sourceBlocks.findIndex((block) => block.id === id);
  return index < 0 ? position : index + 1;
}
