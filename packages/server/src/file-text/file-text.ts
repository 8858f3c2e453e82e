/** One page, slide or part of a sheet. The label is the name of the sheet; null for all others. */
export interface TextPage {
  readonly label: string | null;
  readonly text: string;
}

/** The reason why a file has no text. */
type NoText = "unknown_type" | "encrypted" | "damaged" | "too_large" | "too_slow" | "empty";

/** `truncated`: the file has more text than the limits allow. */
export type FileText =
  | { readonly status: "ready"; readonly pages: readonly TextPage[]; readonly truncated: boolean }
  | { readonly status: "none" | "failed"; readonly reason: NoText };

export interface FileToRead {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** The type that the file's first bytes determine. */
  readonly contentType: string;
}

/** Whether a file of this type may have text. Archives may be Office files, and unknown types may be plain text. */
export const mayHaveText = (contentType: string): boolean => !/^(?:image|audio|video|font)\//.test(contentType);

/** A file that cannot be read, for a known reason. */
export class Unreadable extends Error {
  readonly reason: NoText;

  constructor(reason: NoText) {
    super(reason);
    this.name = "Unreadable";
    this.reason = reason;
  }
}
