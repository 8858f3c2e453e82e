import { defined } from "@svc/document/defined";
import type { KyselyPlugin } from "kysely";
import type { Database, Reader, SelectBuilder, VisibleDatabase, VisibleReader } from "../database.ts";
import { type Find, type Lookup, type LookupText, lookupSql, onePerText } from "../statement/lookup.ts";
import type { StatementDialect, StatementRunner } from "../statement/runner.ts";
import { type BaseFilter, filterName, hides } from "./base-filter.ts";
import { restriction } from "./restrict-queries.ts";

/**
 * The same store for a reader who does not see every knowledge base: rows in the others cannot be found in any way.
 * Transactions are not restricted, because writes depend on all rows.
 */
export function restrictDatabase(database: Database, filter: BaseFilter): VisibleDatabase {
  return {
    read: restrictReader(database.read, filter),
    transaction: (work, options) => database.transaction(work, options),
    snapshot: (work) => database.snapshot((db) => work(restrictReader(db, filter))),
    tables: () => database.tables(),
    listen: (heard, options) => database.listen(heard, options),
    close: () => database.close(),
  };
}

/** Compiled once per filter and shared by all its readers. */
const COMPILED = new WeakMap<BaseFilter, Made>();

interface Made {
  readonly plugin: KyselyPlugin;
  readonly dialects: Map<StatementDialect, StatementDialect>;
}

function madeFor(filter: BaseFilter): Made {
  const made = COMPILED.get(filter) ?? { plugin: restriction(filter), dialects: new Map() };
  COMPILED.set(filter, made);
  return made;
}

/** Restricts one reader, such as the one that a transaction uses to build its answer. */
export function restrictReader(reader: Reader, filter: BaseFilter): VisibleReader & { readonly lookup: Lookup } {
  const { plugin, dialects } = madeFor(filter);
  const selectFrom = (from: never) =>
    (reader.selectFrom(from) as { withPlugin(p: KyselyPlugin): unknown }).withPlugin(plugin);
  return {
    selectFrom: selectFrom as unknown as SelectBuilder["selectFrom"],
    statements: restrictStatements(reader.statements, plugin, dialects),
    lookup: restrictLookup(reader, filter),
    audience: filterName(filter),
    filterByVisibleIds: filter.visibleIds !== undefined,
  } as VisibleReader & { readonly lookup: Lookup };
}

/** Statements are compiled once per dialect, and so once per filter. */
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

const BASES: LookupText = {
  select: "workspace_id, id, knowledge_base_id",
  from: "documents",
  key: ["workspace_id", "id"],
};

interface InBase {
  readonly knowledge_base_id: number;
}

/** Looks rows up by key. A document, or a row that belongs to one, is found only if the document is visible. */
function restrictLookup(reader: Reader, filter: BaseFilter): Lookup {
  const { dialect, run } = reader.statements;
  const inSnapshot =
    <Row>(text: LookupText): Find<Row> =>
    async (...key) =>
      (await run(lookupSql(text, dialect.mark), key))[0] as Row | undefined;
  const lookup: Lookup = reader.lookup ?? inSnapshot;
  const findBase = lookup<InBase>(BASES);
  const isShown = (found: InBase | undefined) => found !== undefined && !hides(filter, found.knowledge_base_id);
  return onePerText(<Row>(text: LookupText): Find<Row> => {
    const find = lookup<Row>(text);
    const document = text.key.findIndex((column) => isDocument(text.from, column));
    if (document < 0) return find;
    const workspace = text.key.findIndex((column) => column.endsWith("workspace_id"));
    return async (...key) => {
      const [row, found] = await Promise.all([find(...key), findBase(defined(key[workspace]), defined(key[document]))]);
      return isShown(found) ? row : undefined;
    };
  });
}

/** Whether a column of a key names a document. */
const isDocument = (from: string, column: string): boolean =>
  from === "documents" ? /^(documents\.)?id$/.test(column) : column.endsWith("document_id");
