import type { Node } from "@svc/document/types";
import type { ConceptRelationRow } from "../../../db/schema/tables/concepts.ts";
import type { DocumentRow, DocumentType } from "../../../db/schema/tables/documents.ts";
import type { ConceptFields } from "../../knowledge/concepts/change-concept.ts";
import type { ImportFormat } from "./import-format.ts";
import type { UnitLine } from "./language-schema.ts";
import type { PlannedDiscussion } from "./read-discussion.ts";
import type { PlannedSummary } from "./read-summaries.ts";

/** The plan of an import, independent of the archive's format. Keys are the archive's own names. */
export interface ImportPlan {
  readonly name: string;
  /** The program that made the archive. */
  readonly format: ImportFormat;
  /** Parents before children. */
  readonly folders: readonly PlannedFolder[];
  readonly documents: readonly PlannedDocument[];
  /** Only archives of this service have one. */
  readonly graph?: PlannedGraph;
  /** Stored summaries of the knowledge base (null) and of folders. */
  readonly summaries?: readonly { readonly folderKey: string | null; readonly load: () => Promise<PlannedSummary[]> }[];
  readonly warnings: readonly string[];
  /** Files of the archive that are not documents. Those that no document shows or links to are skipped and reported. */
  readonly files?: readonly string[] | undefined;
}

/** Relations and concepts; the plan contains both ends of each relation and all evidence. */
export interface PlannedGraph {
  /** By the key of the source document. */
  readonly relations: ReadonlyMap<string, readonly PlannedRelation[]>;
  /** Each follows all its narrower concepts. */
  readonly concepts: readonly PlannedConcept[];
}

/** The evidence of a concept. */
export interface PlannedEvidence {
  readonly documentKey: string;
  readonly blockId: string | null;
  readonly sourceVersion: string;
  /** Whether the document is unchanged since. */
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
  /** Name of the source file without its extension. */
  readonly fileName?: string | undefined;
  readonly documentType: DocumentType;
  readonly headingNumbered: boolean;
  readonly backgroundColor: string | null;
  readonly collapsedBlockIds: readonly string[];
  readonly isTemplate?: boolean | undefined;
  /** When it was created and last changed, if the archive says so. */
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly language?: PlannedLanguage | undefined;
  /** Its version at the source, if the archive says so. */
  readonly version?: string | undefined;
  /** Loads the body, either stored or parsed from Markdown. Throws if it is invalid. */
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
  /** The version of the source to which everything was up to date, unless it is the archived one. */
  readonly fromVersion: string | undefined;
  readonly units: readonly UnitLine[];
}

/** A document's role as a language version of its document set. */
export type PlannedLanguage = PlannedSource | PlannedTarget;

/** A link from a page to a missing file of its archive. */
export interface UnresolvedLink {
  /** As written in the page. */
  readonly target: string;
  readonly why: string;
  /** Number of occurrences on the page. */
  readonly count: number;
  /** True if the target is missing; false if only the heading is missing on the target page. */
  readonly isLost: boolean;
}

/** Links from a page to other files of its archive. */
export interface PageLinks {
  readonly resolved: number;
  readonly unresolved: readonly UnresolvedLink[];
}

export interface LoadedBody {
  /** Overrides the planned title, if only the content contains it. */
  readonly title?: string;
  readonly blocks: readonly Node[];
  /** Ids of blocks that links of the archive may name. Set only if the parser generated all other ids. */
  readonly linkable?: ReadonlySet<string>;
  /** Validated YAML lines including the fences. */
  readonly frontMatter?: string;
  readonly files: readonly PlannedFile[];
  /** The Markdown source, the blocks it parses to, and the mapping of its addresses. */
  readonly source?:
    | {
        readonly text: string;
        readonly blocks: readonly Node[];
        readonly addresses: ReadonlyMap<string, string>;
      }
    | undefined;
  readonly links?: PageLinks;
  /** How the file writes its addresses, keyed by the new address. */
  readonly fileAddresses?: ReadonlyMap<string, string>;
  /** The document's comments and suggestions. */
  readonly discussion?: PlannedDiscussion | undefined;
  /** Stored summaries of the document and its sections. */
  readonly summaries?: readonly PlannedSummary[];
  /** Content that could not be imported, described in words. */
  readonly warnings?: readonly string[];
}

export interface PlannedFile {
  /** The id or path by which nodes refer to it. */
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

/** Normalizes a name or title to what the API accepts. */
export function cleanTitle(text: string, fallback = "Untitled"): string {
  const clean = text.toWellFormed().replace(control, " ").trim();
  const short = [...clean].slice(0, MAX_CHARACTERS).join("").trim();
  return short === "" ? fallback : short;
}
