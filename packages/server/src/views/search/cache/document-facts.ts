import { sql } from "kysely";
import { Cache } from "../../../cache/cache.ts";
import type { Reader, SelectBuilder } from "../../../db/database.ts";
import type { DocumentRow } from "../../../db/schema/tables/documents.ts";
import { statement } from "../../../db/statement/statement.ts";
import { changesBetween } from "../read/changes-between.ts";
import type { LastEvent, Opening } from "../read/opening.ts";

/** The columns of a document that filters test. */
export type DocumentFacts = Pick<
  DocumentRow,
  "knowledge_base_id" | "folder_id" | "document_type" | "updated_at" | "locale" | "variant_role"
> & {
  /** The number of its blocks in the index and of their words: known only for readers who do not see every document. */
  readonly blocks: number;
  readonly length: number;
};

/** Null for a document that this reader cannot find. */
type FactsMap = Map<number, DocumentFacts | null>;

/** The remembered answer for a document; 0 means unknown. */
const [YES, NO] = [1, 2];
/** The number of tests whose answers are remembered. */
const MAX_TESTS = 16;
const MAX_ANSWERS = 4_000_000;

let made = 0;

/** Facts by the documents' numbers in the index. May contain numbers that are no longer in the index. */
class FactsByNumber {
  /** Identifies these facts within the process. */
  readonly id = ++made;
  readonly #base: ReadonlyMap<number, DocumentFacts | null>;
  readonly #changed: ReadonlyMap<number, DocumentFacts | null>;
  readonly #answers = new Map<string, Uint8Array>();
  #totals: { readonly n: number; readonly totalLength: number } | undefined;

  constructor(
    base: ReadonlyMap<number, DocumentFacts | null>,
    changed: ReadonlyMap<number, DocumentFacts | null> = new Map(),
  ) {
    this.#base = base;
    this.#changed = changed;
  }

  /** Estimated bytes, including the answers still to be added. */
  get bytes(): number {
    return this.size * (FACTS_BYTES + MAX_TESTS);
  }

  get size(): number {
    return this.#base.size + this.#changed.size;
  }

  /** Totals over all documents, for this reader's statistics. */
  get totals(): { readonly n: number; readonly totalLength: number } {
    this.#totals ??= this.#sum();
    return this.#totals;
  }

  #sum() {
    let n = 0;
    let totalLength = 0;
    const add = (facts: DocumentFacts | null) => {
      n += facts?.blocks ?? 0;
      totalLength += facts?.length ?? 0;
    };
    for (const [number, facts] of this.#base) if (!this.#changed.has(number)) add(facts);
    for (const facts of this.#changed.values()) add(facts);
    return { n, totalLength };
  }

  get(number: number): DocumentFacts | undefined {
    const changed = this.#changed.size > 0 ? this.#changed.get(number) : undefined;
    return (changed === undefined ? this.#base.get(number) : changed) ?? undefined;
  }

  /**
   * Returns a function that says whether a document's facts fulfil `test`. Answers are remembered as long as the facts
   * are: `name` is equal for equal tests. Numbers are below `numbers`.
   */
  accepted(
    name: string,
    numbers: number,
    test: (facts: DocumentFacts, number: number) => boolean,
  ): (number: number) => boolean {
    const answers = this.#answers.get(name) ?? new Uint8Array(Math.min(numbers, MAX_ANSWERS));
    if (this.#answers.size >= MAX_TESTS) this.#answers.clear();
    this.#answers.set(name, answers);
    const ask = (number: number): boolean => {
      const facts = this.get(number);
      const isAccepted = facts !== undefined && test(facts, number);
      if (number < answers.length) answers[number] = isAccepted ? YES : NO;
      return isAccepted;
    };
    return (number) => {
      const answer = number < answers.length ? answers[number] : undefined;
      return answer === YES || (answer !== NO && ask(number));
    };
  }

  /** Returns new facts with these rows; readers of the old snapshot keep the old ones. */
  with(rows: ReadonlyMap<number, DocumentFacts | null>): FactsByNumber {
    if (rows.size === 0) return this;
    const changed = new Map([...this.#changed, ...rows]);
    return changed.size <= MAX_CHANGED
      ? new FactsByNumber(this.#base, changed)
      : new FactsByNumber(new Map([...this.#base, ...changed]));
  }
}

type FactsRow = {
  readonly [column in Exclude<keyof DocumentFacts, "blocks" | "length">]: DocumentFacts[column] | null;
} & {
  readonly number: number;
  readonly blocks?: number;
  readonly length?: number | null;
};

type CachedFacts = {
  readonly stamp: number;
  readonly nextDocument: number;
  readonly event: LastEvent;
  /** Documents waited to be indexed: their lengths change without an event. */
  readonly hadBacklog: boolean;
  readonly facts: FactsByNumber;
};

/** A left join runs in the order in which it is written: otherwise SQLite would begin with all documents. */
const factsOf = (db: SelectBuilder, workspaceId: string) =>
  db
    .selectFrom("search_documents as s")
    .leftJoin("documents as d", (join) =>
      join.onRef("d.workspace_id", "=", "s.workspace_id").onRef("d.id", "=", "s.document_id"),
    )
    .select(["s.number", "d.knowledge_base_id", "d.folder_id", "d.document_type", "d.updated_at", "d.locale"])
    .select("d.variant_role")
    .where("s.workspace_id", "=", workspaceId);

/** The facts with the columns that statistics need. */
const measuredFactsOf = (db: SelectBuilder, workspaceId: string) =>
  factsOf(db, workspaceId).select(({ selectFrom }) => {
    const blocks = selectFrom("search_blocks as b")
      .whereRef("b.workspace_id", "=", "s.workspace_id")
      .whereRef("b.document", "=", "s.number");
    return [
      blocks.select((eb) => eb.fn.countAll<number>().as("n")).as("blocks"),
      blocks.select((eb) => eb.fn.sum<number>("b.length").as("l")).as("length"),
    ];
  });

const PAGE_SIZE = 500;
const reads = (of: typeof factsOf) => ({
  from: statement<{ workspaceId: string; from: number }, FactsRow>((db, value) =>
    of(db, value("workspaceId")).where("s.number", ">=", value("from")).orderBy("s.number").limit(sql.lit(PAGE_SIZE)),
  ),
  byId: statement<{ workspaceId: string; ids: readonly string[] }, FactsRow>(
    (db, value) => of(db, value("workspaceId")).where("s.document_id", "in", value("ids")),
    { list: "ids" },
  ),
});
const plain = reads(factsOf);
const measured = reads(measuredFactsOf as typeof factsOf);

/** A reader who sees the whole workspace uses its statistics. */
const readsOf = (db: Reader) => (db.audience === undefined ? plain : measured);

/** The number of changed documents that are looked up one by one; after more changes all are read again. */
const MAX_CHANGED = 1000;
/** Estimated bytes for the facts of a document. */
const FACTS_BYTES = 160;

const FACTS = new Cache<CachedFacts>("search_facts", { share: 1 / 2 });

/**
 * The facts of all documents in recently searched workspaces, for filters. They are read once; later only those of
 * changed documents, which the workspace's events name, and of new numbers, which are higher than all before. Both
 * belong to the reader's snapshot, so the result equals that of a query.
 */
export class FactsCache {
  /** Identifies the database. */
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  async read(db: Reader, workspaceId: string, opening: Opening, pause: () => unknown): Promise<FactsByNumber> {
    const { stamp, nextDocument, hasBacklog } = opening.counters;
    const { event } = opening;
    const cached = FACTS.get(this.#key + workspaceId);
    if (cached && cached.stamp === stamp && isSame(cached.event, event)) return cached.facts;
    const facts =
      (cached && (await follow(db, workspaceId, cached, opening, pause))) ??
      new FactsByNumber(await readFrom(db, workspaceId, 0, pause));
    FACTS.put(this.#key + workspaceId, { stamp, nextDocument, event, hadBacklog: hasBacklog, facts }, facts.bytes);
    return facts;
  }
}

/** Returns undefined if the changes since the cached state are unknown, or too many. */
async function follow(
  db: Reader,
  workspaceId: string,
  { nextDocument, event: before, hadBacklog, facts }: CachedFacts,
  { event, documents }: Opening,
  pause: () => unknown,
): Promise<FactsByNumber | undefined> {
  const hasManyLeft = facts.size > 2 * documents + MAX_CHANGED;
  const isOutdated = hadBacklog && db.audience !== undefined;
  const changes =
    hasManyLeft || isOutdated ? undefined : await changesBetween(db, workspaceId, before, event, MAX_CHANGED);
  if (!changes) return undefined;
  const ids = new Set(changes.slice(1).map(({ documentId }) => documentId));
  const changed = await readFrom(db, workspaceId, nextDocument, pause);
  for (const row of await readsOf(db).byId(db, { workspaceId, ids: [...ids] })) note(changed, row);
  return facts.with(changed);
}

const isSame = (a: LastEvent, b: LastEvent): boolean => a.id === b.id && a.createdAt === b.createdAt;

async function readFrom(db: Reader, workspaceId: string, number: number, pause: () => unknown): Promise<FactsMap> {
  const facts = new Map<number, DocumentFacts | null>();
  for (let from = number; ; ) {
    const rows = await readsOf(db).from(db, { workspaceId, from });
    for (const row of rows) note(facts, row);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return facts;
    from = last.number + 1;
    await pause();
  }
}

/** Removes the facts of a deleted document. */
function note(facts: FactsMap, row: FactsRow): void {
  const { knowledge_base_id, folder_id, document_type, updated_at, locale, variant_role } = row;
  if (knowledge_base_id === null || document_type === null || updated_at === null) {
    facts.set(row.number, null);
    return;
  }
  const [blocks, length] = [Number(row.blocks ?? 0), Number(row.length ?? 0)];
  const place = { knowledge_base_id, folder_id };
  facts.set(row.number, { ...place, document_type, updated_at, locale, variant_role, blocks, length });
}
