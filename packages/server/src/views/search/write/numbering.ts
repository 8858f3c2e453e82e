import type { NewSegment } from "@svc/search/segment/store-port";
import type { SelectBuilder } from "../../../db/database.ts";
import type { SearchBlockTable, SearchBlockText } from "../../../db/schema/tables/search.ts";
import { statement } from "../../../db/statement/statement.ts";

/** A workspace's index in one of its epochs. */
export interface IndexKey {
  readonly workspaceId: string;
  readonly epoch: number;
}

type ValueOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/**
 * `at` is the distance from the counter down to the number. The query returns null if a rebuild has begun meanwhile. No
 * column accepts that, so the transaction fails and runs again.
 */
const numberBelowCounter = (tx: SelectBuilder, value: ValueOf<IndexKey>, at: number) =>
  tx
    .selectFrom("search_counters")
    .select((eb) => eb("next_number", "-", at).as("number"))
    .where("workspace_id", "=", value("workspaceId"))
    .where("epoch", "=", value("epoch"));

/** `at` is the number itself. */
const givenNumber = (_tx: SelectBuilder, _value: ValueOf<IndexKey>, at: number): number => at;

/** A number as `Numbering.at` returns it. */
type At = IndexKey & { readonly at: number };

type SegmentValues = At &
  Pick<NewSegment, "blocks" | "termPages" | "removed" | "runs" | "payload"> & {
    readonly lastAt: number;
    readonly stamp: number;
  };

const NONE = new Uint8Array(0);

/** The statements that write numbers. */
const makeStatements = (numberOf: typeof numberBelowCounter | typeof givenNumber) => ({
  insertSegment: statement<SegmentValues, { readonly id: number }>((tx, value) =>
    tx
      .insertInto("search_segments")
      .values({
        workspace_id: value("workspaceId"),
        epoch: value("epoch"),
        stamp: value("stamp"),
        state: "live",
        level: 0,
        base: numberOf(tx, value, value("at")),
        last: numberOf(tx, value, value("lastAt")),
        blocks: value("blocks"),
        term_pages: value("termPages"),
        dead: 0,
        removed: value("removed"),
        tombstones: NONE,
        runs: value("runs"),
        payload: value("payload"),
      })
      .returning("id"),
  ),
  insertBlock: statement<At & Omit<SearchBlockTable, "workspace_id" | "number">, unknown>((tx, value) =>
    tx.insertInto("search_blocks").values({
      workspace_id: value("workspaceId"),
      number: numberOf(tx, value, value("at")),
      document: value("document"),
      block_id: value("block_id"),
      length: value("length"),
      text: value("text"),
      section: value("section"),
    }),
  ),
  renumberBlock: statement<At & SearchBlockText & { readonly old: number; readonly length: number }, unknown>(
    (tx, value) =>
      tx
        .updateTable("search_blocks")
        .set({
          number: numberOf(tx, value, value("at")),
          length: value("length"),
          text: value("text"),
          section: value("section"),
        })
        .where("workspace_id", "=", value("workspaceId"))
        .where("number", "=", value("old")),
  ),
});

/** The source of the numbers of new blocks, which follow the workspace's counter without a gap. */
export interface Numbering {
  /** The number from which `indexChange` counts. */
  readonly first: number;
  /** Whether `indexChange` assigns the final numbers of the store. */
  readonly isKnown: boolean;
  readonly statements: ReturnType<typeof makeStatements>;
  /** Encodes a number for the statements; `next` is the first number after those of the change. */
  at(number: number, next: number): number;
}

/**
 * For a writer without the counter's lock: the statements take the numbers from the counter, which was incremented
 * before.
 */
export const NUMBERS_BELOW_COUNTER: Numbering = {
  first: 0,
  isKnown: false,
  statements: makeStatements(numberBelowCounter),
  at: (number, next) => next - number,
};

const GIVEN = makeStatements(givenNumber);

/** For a writer that holds the counter's lock. */
export const numbersFrom = (first: number): Numbering => ({
  first,
  isKnown: true,
  statements: GIVEN,
  at: (number) => number,
});
