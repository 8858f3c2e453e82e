/** The error codes this package can raise. The server's catalogue gives each its HTTP status and message. */
export type DocumentErrorCode =
  | "invalid_request"
  | "invalid_document"
  | "duplicate_anchor"
  | "unknown_anchor"
  | "duplicate_block_id"
  | "block_not_found"
  | "heading_not_found"
  | "text_not_found"
  | "text_ambiguous"
  | "edit_changes_structure"
  | "document_too_large"
  | "invalid_properties";

/** A refusal that the caller can act on: a code of the API and the details that go with it. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: DocumentErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "DocumentError";
    this.code = code;
    this.details = details;
  }
}
