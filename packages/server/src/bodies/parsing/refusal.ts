import { DocumentError, type DocumentErrorCode } from "@svc/document/errors";

/** A `DocumentError` in a form that can be sent from one thread to another. */
export interface Refusal {
  readonly code: DocumentErrorCode;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** The refusal that was thrown; any other error is thrown on. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DocumentError)) throw error;
  return { code: error.code, message: error.message, details: error.details };
}

export const errorOf = ({ code, message, details }: Refusal): DocumentError =>
  new DocumentError(code, message, details);
