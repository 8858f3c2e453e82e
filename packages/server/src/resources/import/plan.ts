import type { Node } from "@svc/document/types";
import type { ConceptRelationRow } from "../../db/schema/tables/concepts.ts";
import type { DocumentRow, DocumentType } from "../../db/schema/tables/documents.ts";
import type { ConceptFields } from "../concepts/change-concept.ts";
import type { ImportFormat } from "./import-format.ts";
import type { UnitLine } from "./language-schema.ts";
import type { PlannedDiscussion } from "./read-discussion.ts";
import type { PlannedSummary } from "./read-summaries.ts";

/** What an archive is to become, in whatever form it came. Keys are the archive's own names for things. */
export interface ImportPlan {
  readonly name: string;
  /** Which program made the archive. */
  readonly format: ImportFormat;
  /** Parents before children. */
  readonly folders: readonly PlannedFolder[];
  readonly documents: readonly PlannedDocument[];
  /** Only what this service wrote has one. */
  readonly graph?: PlannedGraph;
  /** Stored summaries of the knowledge base (null) and of folders. */
  readonly summaries?: readonly { readonly folderKey: string | null; readonly load: () => Promise<PlannedSummary[]> }[];
  readonly warnings: readonly string[];
  /** Files of the archive that are no documents. What no document shows or links to is left out, and named. */
  readonly files?: readonly string[] | undefined;
}

/** Relations and concepts; both ends of each relation and all evidence are in the plan. */
export interface PlannedGraph {
  /** By the key of the document that they go out from. */
  readonly relations: ReadonlyMap<string, readonly PlannedRelation[]>;
  /** Each behind all that it is broader than. */
  readonly concepts: readonly PlannedConcept[];
}

/** A place that something was taken from. */
export interface PlannedEvidence {
  readonly documentKey: string;
  readonly blockId: string | null;
  readonly sourceVersion: string;
  /** The document has not changed since. */
  readonly isCurrent: boolean;
}

export interface PlannedRelation {
  readonly source: PlannedEvidence & { readonly blockId: string };
  readonly predicate: string;
  readonly targetKey: string;
  readonly targetBlockId: string | null;
  readonly anchorText: string;
}

export interface PlannedConcept {
  readonly key: string;
  readonly fields: Omit<ConceptFields, "canonical_document_id"> & { readonly name: string };
  readonly canonicalKey: string | null;
  readonly sources: readonly PlannedEvidence[];
  readonly relations: readonly PlannedConceptRelation[];
}

export interface PlannedConceptRelation {
  readonly predicate: ConceptRelationRow["predicate"];
  readonly targetKey: string;
  readonly validFrom: number | null;
  readonly validTo: number | null;
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
  readonly isTemplate?: boolean | undefined;
  /** When it was made and last changed, where the archive says so. */
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly language?: PlannedLanguage | undefined;
  /** Its version where it comes from, where the archive says so. */
  readonly version?: string | undefined;
  /** Its body as stored elsewhere, or parsed from Markdown. Refuses what is not valid. */
  readonly load: () => Promise<LoadedBody>;
}

interface PlannedVersion {
  readonly setKey: string;
  readonly locale: string;
  readonly workflowStatus: NonNullable<DocumentRow["workflow_status"]>;
}

export interface PlannedSource extends PlannedVersion {
  readonly role: "source";
  readonly fallbackLocale: string;
}

export interface PlannedTarget extends PlannedVersion {
  readonly role: "target";
  readonly sourceKey: string;
  /** The version of the source that all of it agreed with, unless that is the one in the archive. */
  readonly fromVersion: string | undefined;
  readonly units: readonly UnitLine[];
}

/** What a document is as one of the languages of a document set. */
export type PlannedLanguage = PlannedSource | PlannedTarget;

/** Links between the files of an archive: those that lead to a document or file, and those that lead nowhere. */
export interface LinkCounts {
  readonly resolved: number;
  readonly unresolved: number;
}

export interface LoadedBody {
  /** Better than the planned one, where only the content has it. */
  readonly title?: string;
  readonly blocks: readonly Node[];
  /** The ids of blocks that links of the archive may name, where all others were made by reading it. */
  readonly linkable?: ReadonlySet<string>;
  /** Lines of YAML with their fences, checked. */
  readonly frontMatter?: string;
  readonly files: readonly PlannedFile[];
  /** The Markdown that it was read from, what that reads as, and what its addresses become. */
  readonly source?:
    | {
        readonly text: string;
        readonly blocks: readonly Node[];
        readonly addresses: ReadonlyMap<string, string>;
      }
    | undefined;
  readonly links?: LinkCounts;
  /** What was said about it. */
  readonly discussion?: PlannedDiscussion | undefined;
  /** Stored summaries of it and of its sections. */
  readonly summaries?: readonly PlannedSummary[];
  /** What could not be carried over, in words. */
  readonly warnings?: readonly string[];
}

export interface PlannedFile {
  /** The id or path that nodes name it by. */
  readonly key: string;
  readonly path: string;
  readonly fileName: string;
  readonly sha256: string | undefined;
  readonly createdAt?: number | undefined;
}

export function withoutConcepts(plan: ImportPlan): ImportPlan {
  const count = plan.graph?.concepts.length ?? 0;
  if (!plan.graph || count === 0) return plan;
  const warning = `Left out because the token has no concepts:write: ${count} concepts.`;
  return { ...plan, graph: { ...plan.graph, concepts: [] }, warnings: [...plan.warnings, warning] };
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
