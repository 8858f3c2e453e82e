import type { Actor } from "../../../events/actor.ts";
import { newId } from "../../../ids.ts";
import type { ImportPlan, PlannedDocument, PlannedFolder, PlannedGraph } from "../plan.ts";
import { ImportRefused } from "../refused.ts";

/** Where an import builds, and in whose name. */
export interface Site {
  readonly workspaceId: string;
  readonly knowledgeBaseId: number;
  readonly actor: Actor;
  /** Makes the new block ids, the same ones when the job runs again. */
  readonly seed: string;
}

/** What is known before the first document is read: plain values, which another thread can be given. */
export interface Building extends Site {
  readonly folders: readonly PlannedFolder[];
  readonly graph: PlannedGraph;
  /** Ids of what is to be built, by the archive's names. */
  readonly documentIds: ReadonlyMap<string, string>;
  readonly conceptIds: ReadonlyMap<string, string>;
  /** Of document sets. */
  readonly setIds: ReadonlyMap<string, string>;
}

/** What is planned of a document, without the way to its body. */
export type DocumentLine = Omit<PlannedDocument, "load">;

/** Gives everything that is planned its id. */
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
