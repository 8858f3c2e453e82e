/** The target of a relation. */
interface RelationTarget {
  target_uri: string;
  target_document_id: string | null;
  target_block_id: string | null;
}

/** A link in a body that points into this service. Derived: only views/relations writes it. */
export interface InlineRelationRow extends RelationTarget {
  workspace_id: string;
  id: string;
  /** The document that contains the link. */
  document_id: string;
  source_block_id: string;
  /** The top-level block that is or contains the source block. */
  top_block_id: string;
  /**
   * For a link by web address: its host and path prefix, since it counts only if they are this service's. Otherwise
   * empty.
   */
  via: string;
  anchor_text: string;
  created_by: string;
  created_at: number;
}

/** A relation that a person or program stated. */
export interface ManualRelationRow extends RelationTarget {
  workspace_id: string;
  id: string;
  document_id: string;
  source_block_id: string;
  /** The source document's version when the relation was stated. */
  source_version: string;
  predicate: string;
  target_document_id: string;
  anchor_text: string;
  created_by: string;
  created_at: number;
}
