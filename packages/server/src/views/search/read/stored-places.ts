import { defined } from "@svc/document/defined";
import { headingPath, type Outline } from "@svc/search/text/outline";
import { Cache } from "../../../cache/cache.ts";
import type { Reader } from "../../../db/database.ts";
import { statement } from "../../../db/statement/statement.ts";
import type { HitRow } from "./hit-rows.ts";
import { ShownBlock } from "./shown-block.ts";

/** A row that keeps all that a hit shows. */
type StoredHitRow = HitRow & { readonly text: string; readonly section: string };

export const isStored = (row: HitRow): row is StoredHitRow =>
  row.text !== null && row.section !== null && row.outline_version === row.version;

type OutlineRow = { readonly number: number; readonly outline: string | null };

const outlines = statement<{ workspaceId: string; numbers: readonly number[] }, OutlineRow>(
  (db, value) =>
    db
      .selectFrom("search_documents")
      .select(["number", "outline"])
      .where("workspace_id", "=", value("workspaceId"))
      .where("number", "in", value("numbers")),
  { list: "numbers" },
);

/** By version: it follows from the body. */
const OUTLINES = new Cache<Outline>("search_outlines", { share: 1 / 32 });

/** What the rows keep, with the headings that they stand under. By number. */
export async function storedPlaces(
  db: Reader,
  workspaceId: string,
  rows: readonly StoredHitRow[],
): Promise<Map<number, ShownBlock>> {
  const found = await outlinesOf(db, workspaceId, rows);
  return new Map(
    rows.map(({ number, document, text, section }) => [
      number,
      new ShownBlock(text, headingPath(found.get(document) ?? [], section)),
    ]),
  );
}

/** By the documents' numbers. */
async function outlinesOf(
  db: Reader,
  workspaceId: string,
  rows: readonly StoredHitRow[],
): Promise<ReadonlyMap<number, Outline>> {
  const found = new Map<number, Outline>();
  const missing = new Map<number, string>();
  for (const { document, version, section } of rows) {
    if (section === "" || found.has(document)) continue;
    const outline = OUTLINES.get(version);
    if (outline) found.set(document, outline);
    else missing.set(document, version);
  }
  if (missing.size === 0) return found;
  for (const { number, outline } of await outlines(db, { workspaceId, numbers: [...missing.keys()] })) {
    const json = outline ?? "[]";
    const parsed: Outline = JSON.parse(json);
    found.set(number, parsed);
    OUTLINES.put(defined(missing.get(number)), parsed, 200 + 4 * json.length);
  }
  return found;
}
