/** Where a relation points to. */
interface RelationTarget {
  target_uri: string;
  target_document_id: string | null;
  target_block_id: string | null;
}

/** A link in a body that names something of this service. Derived: written by views/relations alone. */
export interface InlineRelationRow extends RelationTarget {
  workspace_id: string;
  id: string;
  /** The document that the link is in. */
  document_id: string;
  source_block_id: string;
  /** The top-level block that has or holds the source block. */
  top_block_id: string;
  /** Host and path prefix of a link by web address, which counts only where that is this service; else empty. */
  via: string;
  anchor_text: string;
  created_by: string;
  created_at: number;
}

/** A relation that somebody stated. */
export interface ManualRelationRow extends RelationTarget {
  workspace_id: string;
  id: string;
  document_id: string;
  source_block_id: string;
  /** The source document's version when it was stated. */
  source_version: string;
  predicate: string;
  target_document_id: string;
  anchor_text: string;
  created_by: string;
  created_at: number;
}
