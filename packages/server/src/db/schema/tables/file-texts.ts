/** The text of a file, shared by all attachments of the workspace with the same content. */
export interface FileTextRow {
  workspace_id: string;
  sha256: string;
  /** How often reading it began. It stops after a few, because the file may have ended the process. */
  attempts: number;
  /** Null until it has been read. */
  status: "ready" | "none" | "failed" | null;
  /** Null if there is text. */
  reason: string | null;
  pages: number;
  /** 1: the file has more text than is kept. */
  truncated: number;
}

export interface FileTextPageRow {
  workspace_id: string;
  sha256: string;
  /** From 1. */
  page: number;
  /** The name of the sheet. */
  label: string | null;
  text: string;
}
