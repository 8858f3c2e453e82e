import { defined } from "@svc/document/defined";
import type { KyselyPlugin } from "kysely";
import type { Database, Reader, SelectBuilder } from "../database.ts";
import { type Find, type Lookup, type LookupText, lookupSql, onePerText } from "../statement/lookup.ts";
import type { StatementDialect, StatementRunner } from "../statement/runner.ts";
import { type BaseFilter, filterName, hides } from "./base-filter.ts";
import { restriction } from "./restrict-queries.ts";

/**
 * The same store for a reader who does not see every knowledge base: what is in the others is not there, whichever way
 * it is asked for. Transactions are those of the store itself, since what is written follows from all of it.
 */
export function restrictDatabase(database: Database, filter: BaseFilter): Database {
  return {
    read: restrictReader(database.read, filter),
    transaction: (work, options) => database.transaction(work, options),
    snapshot: (work) => database.snapshot((db) => work(restrictReader(db, filter))),
    tables: () => database.tables(),
    listen: (heard, options) => database.listen(heard, options),
    close: () => database.close(),
  };
}

/** What is compiled for a filter is compiled once, whichever reader it is for. */
const MADE = new WeakMap<BaseFilter, Made>();

interface Made {
  readonly plugin: KyselyPlugin;
  readonly dialects: Map<StatementDialect, StatementDialect>;
}

function madeFor(filter: BaseFilter): Made {
  const made = MADE.get(filter) ?? { plugin: restriction(filter), dialects: new Map() };
  MADE.set(filter, made);
  return made;
}

/** One reader, such as that of an answer within its transaction, for somebody who does not see every knowledge base. */
export function restrictReader(reader: Reader, filter: BaseFilter): Reader & { readonly lookup: Lookup } {
  const { plugin, dialects } = madeFor(filter);
  const selectFrom = (from: never) =>
    (reader.selectFrom(from) as { withPlugin(p: KyselyPlugin): unknown }).withPlugin(plugin);
  return {
    selectFrom: selectFrom as unknown as SelectBuilder["selectFrom"],
    statements: restrictStatements(reader.statements, plugin, dialects),
    lookup: restrictLookup(reader, filter),
    audience: filterName(filter),
    seesFew: filter.few !== undefined,
  };
}

/** Statements are compiled once for each dialect, and so once for each filter. */
function restrictStatements(
  statements: StatementRunner,
  plugin: KyselyPlugin,
  dialects: Made["dialects"],
): StatementRunner {
  const own = statements.dialect;
  const dialect = dialects.get(own) ?? { ...own, builder: own.builder.withPlugin(plugin) };
  dialects.set(own, dialect);
  return { ...statements, dialect };
}

const PLACES: LookupText = {
  select: "workspace_id, id, knowledge_base_id",
  from: "documents",
  key: ["workspace_id", "id"],
};

interface Placed {
  readonly knowledge_base_id: number;
}

/** Rows by key: of documents, and of what belongs to one, only where the document is shown. */
function restrictLookup(reader: Reader, filter: BaseFilter): Lookup {
  const { dialect, run } = reader.statements;
  const inSnapshot =
    <Row>(text: LookupText): Find<Row> =>
    async (...key) =>
      (await run(lookupSql(text, dialect.mark), key))[0] as Row | undefined;
  const lookup: Lookup = reader.lookup ?? inSnapshot;
  const placeOf = lookup<Placed>(PLACES);
  const isShown = (place: Placed | undefined) => place !== undefined && !hides(filter, place.knowledge_base_id);
  return onePerText(<Row>(text: LookupText): Find<Row> => {
    const find = lookup<Row>(text);
    const document = text.key.findIndex((column) => isDocument(text.from, column));
    if (document < 0) return find;
    const workspace = text.key.findIndex((column) => column.endsWith("workspace_id"));
    return async (...key) => {
      const [row, place] = await Promise.all([find(...key), placeOf(defined(key[workspace]), defined(key[document]))]);
      return isShown(place) ? row : undefined;
    };
  });
}

/** Whether a column of a key names a document. */
const isDocument = (from: string, column: string): boolean =>
  from === "documents" ? /^(documents\.)?id$/.test(column) : column.endsWith("document_id");
