import { ImportRefused } from "../../../../archives/refused.ts";
import type { Actor } from "../../../../events/actor.ts";
import { newId } from "../../../../ids.ts";
import type { ImportPlan, PlannedDocument, PlannedFolder, PlannedGraph } from "../plan.ts";

/** The target of an import and the actor it runs as. */
export interface Site {
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  readonly actor: Actor;
  /** Seed of the new block ids, so that a repeated job makes the same ids. */
  readonly seed: string;
}

/** Everything known before the first document is read, as plain values that can be sent to another thread. */
export interface Building extends Site {
  readonly folders: readonly PlannedFolder[];
  readonly graph: PlannedGraph;
  /** New ids by the archive's keys. */
  readonly documentIds: ReadonlyMap<string, string>;
  readonly conceptIds: ReadonlyMap<string, string>;
  /** New ids of document sets. */
  readonly setIds: ReadonlyMap<string, string>;
}

/** The planned fields of a document, without the function that loads its body. */
export type DocumentLine = Omit<PlannedDocument, "load">;

/** Assigns an id to everything in the plan. */
export function makeBuilding(site: Site, { folders, documents, graph }: ImportPlan): Building {
  const documentIds = new Map(documents.map((document) => [document.key, newId("doc")]));
  if (documentIds.size !== documents.length)
    throw new ImportRefused("invalid_archive", "The archive lists a document twice.");
  const { relations, concepts } = graph ?? { relations: new Map(), concepts: [] };
  const sets = new Set(documents.flatMap(({ language }) => (language ? [language.setKey] : [])));
  return {
    ...site,
    folders,
    graph: { relations, concepts },
    documentIds,
    conceptIds: new Map(concepts.map((concept) => [concept.key, newId("concept")])),
    setIds: new Map([...sets].map((key) => [key, newId("dset")])),
  };
}
