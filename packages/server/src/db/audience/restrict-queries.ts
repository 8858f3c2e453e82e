import {
  AliasNode,
  FromNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  RawNode,
  TableNode,
} from "kysely";
import type { Tables } from "../schema/tables.ts";
import { type BaseFilter, shownIf } from "./base-filter.ts";

type Condition = (filter: BaseFilter) => string;

const inBase =
  (column: string): Condition =>
  (filter) =>
    shownIf(filter, column);

/** The document, folder or concept that a column names is in a visible knowledge base. */
const ofShown =
  (owners: "documents" | "concepts" | "folders", table: keyof Tables, column: string): Condition =>
  (filter) =>
    `exists (select 1 from ${owners} as seen where seen.workspace_id = ${table}.workspace_id
      and seen.id = ${table}.${column} and ${shownIf(filter, "seen.knowledge_base_id")})`;

const ofDocument = (table: keyof Tables, column = "document_id"): Condition => ofShown("documents", table, column);

/**
 * The visible rows of every table that queries can read without first finding a visible document, folder or knowledge
 * base.
 */
const conditions: Partial<Record<keyof Tables, Condition>> = {
  knowledge_bases: inBase("id"),
  folders: inBase("knowledge_base_id"),
  documents: inBase("knowledge_base_id"),
  trash: inBase("knowledge_base_id"),
  concepts: inBase("knowledge_base_id"),
  concept_candidates: (filter) =>
    `${inBase("knowledge_base_id")(filter)} and ${ofDocument("concept_candidates", "source_document_id")(filter)}`,
  concept_sources: ofDocument("concept_sources", "source_document_id"),
  concept_relations: (filter) =>
    ["source_concept_id", "target_concept_id"]
      .map((end) => ofShown("concepts", "concept_relations", end)(filter))
      .join(" and "),
  attachments: ofDocument("attachments"),
  bodies: ofDocument("bodies"),
  changes: ofDocument("changes"),
  comments: ofDocument("comments"),
  deleted_comments: ofDocument("deleted_comments"),
  document_properties: ofDocument("document_properties"),
  document_sets: ofDocument("document_sets"),
  history_states: ofDocument("history_states"),
  inline_relations: ofDocument("inline_relations"),
  manual_relations: ofDocument("manual_relations"),
  // A notification without a document is about the person's own account or access.
  notifications: (filter) => `(document_id = '' or ${ofDocument("notifications")(filter)})`,
  personal_documents: ofDocument("personal_documents"),
  public_shares: (filter) =>
    `(${ofDocument("public_shares")(filter)} or ${ofShown("folders", "public_shares", "folder_id")(filter)})`,
  snapshots: ofDocument("snapshots"),
  suggestions: ofDocument("suggestions"),
  // A row about the whole workspace covers hidden knowledge bases, too.
  webhooks: inBase("knowledge_base_id"),
};

/** The subquery that replaces a table for a restricted reader; undefined if everyone sees the whole table. */
function shownRows(table: string, filter: BaseFilter): string | undefined {
  const condition = conditions[table as keyof Tables];
  return condition && `(select * from ${table} where ${condition(filter)})`;
}

/** Replaces tables by their visible rows, wherever a query reads from one or joins it. */
class Restriction extends OperationNodeTransformer {
  readonly #filter: BaseFilter;
  /** By table: written once, because many ids make long texts. */
  readonly #rows = new Map<string, string | undefined>();

  constructor(filter: BaseFilter) {
    super();
    this.#filter = filter;
  }

  protected override transformFrom(node: FromNode): FromNode {
    const { froms } = super.transformFrom(node);
    return FromNode.create(froms.map((source) => this.#restricted(source)));
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    const join = super.transformJoin(node);
    return { ...join, table: this.#restricted(join.table) };
  }

  #restricted(source: OperationNode): OperationNode {
    const [table, alias] = AliasNode.is(source) ? [source.node, source.alias] : [source, undefined];
    if (!TableNode.is(table)) return source;
    const { name } = table.table.identifier;
    const rows = this.#rowsOf(name);
    return rows ? AliasNode.create(RawNode.createWithSql(rows), alias ?? IdentifierNode.create(name)) : source;
  }

  #rowsOf(table: string): string | undefined {
    if (!this.#rows.has(table)) this.#rows.set(table, shownRows(table, this.#filter));
    return this.#rows.get(table);
  }
}

/** Rewrites the queries of a reader so that they see only what a filter shows. */
export function restriction(filter: BaseFilter): KyselyPlugin {
  const transformer = new Restriction(filter);
  return {
    transformQuery: ({ node }) => transformer.transformNode(node),
    transformResult: async ({ result }) => result,
  };
}
