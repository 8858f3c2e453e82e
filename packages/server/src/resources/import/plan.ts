import type { Node } from "@svc/document/types";
import type { DocumentType } from "../../db/tables.ts";

/** What an archive is to become, in whatever form it came. Keys are the archive's own names for things. */
export interface ImportPlan {
  readonly name: string;
  /** Parents before children. */
  readonly folders: readonly PlannedFolder[];
  readonly documents: readonly PlannedDocument[];
  readonly warnings: readonly string[];
}

export interface PlannedFolder {
  readonly key: string;
  readonly parentKey: string | null;
  readonly name: string;
}

export interface PlannedDocument {
  readonly key: string;
  readonly folderKey: string | null;
  readonly title: string;
  readonly documentType: DocumentType;
  readonly headingNumbered: boolean;
  readonly backgroundColor: string | null;
  readonly collapsedBlockIds: readonly string[];
  /** Its body as stored elsewhere, or parsed from Markdown. Refuses what is not valid. */
  readonly load: () => Promise<LoadedBody>;
}

export interface LoadedBody {
  /** Better than the planned one, where only the content tells it. */
  readonly title?: string;
  readonly blocks: readonly Node[];
  readonly files: readonly PlannedFile[];
}

export interface PlannedFile {
  /** The id or path that nodes name it by. */
  readonly key: string;
  readonly path: string;
  readonly fileName: string;
  readonly sha256: string | undefined;
}

const MAX_CHARACTERS = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: names have none of these
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** A name or title as the API would take it. */
export function cleanTitle(text: string, fallback = "Untitled"): string {
  const clean = text.toWellFormed().replace(control, " ").trim();
  const short = [...clean].slice(0, MAX_CHARACTERS).join("").trim();
  return short === "" ? fallback : short;
}
