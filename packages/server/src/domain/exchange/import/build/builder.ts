import type { DocumentRow } from "../../../../db/schema/tables/documents.ts";
import { ledgerOf } from "../../../../events/ledger.ts";
import type { Services } from "../../../../services.ts";
import { insertAttachments } from "../../../content/attachments/queries.ts";
import { createDocument } from "../../../library/documents/create-document.ts";
import { putFileAddresses } from "../../../library/file-addresses/queries.ts";
import { createFolder } from "../../../library/folders/create-folder.ts";
import { lockStructure } from "../../../library/folders/lock-structure.ts";
import { keepKnowledgeBases } from "../../../library/knowledge-bases/queries.ts";
import { mappedBlockId } from "../mapped-ids.ts";
import type { PlannedSummary } from "../read-summaries.ts";
import { buildConcepts } from "./build-concepts.ts";
import { buildDiscussion } from "./build-discussion.ts";
import { buildLanguage } from "./build-language.ts";
import { buildRelations } from "./build-relations.ts";
import { buildSummaries } from "./build-summaries.ts";
import type { Building } from "./building.ts";
import { LandedEvidence } from "./landed-evidence.ts";
import { lockTargets } from "./lock-targets.ts";
import type { ReadyDocument } from "./ready-document.ts";

const FOLDERS_PER_TRANSACTION = 200;

/** Order: folders, then documents in any number of steps, then concepts, then summaries of folders. */
export type BuildingStep =
  | { readonly kind: "folders" }
  | { readonly kind: "documents"; readonly documents: readonly ReadyDocument[] }
  | { readonly kind: "concepts" }
  | { readonly kind: "summaries"; readonly folderKey: string | null; readonly summaries: readonly PlannedSummary[] };

/** Stores parsed content, in this thread or in another. */
export interface Builder {
  /** Whether it stores in another thread, so that this thread can read meanwhile. */
  readonly isAside: boolean;
  build(step: BuildingStep): Promise<void>;
  close(): Promise<void>;
}

/** Writes everything into the new knowledge base, in transactions small enough to let other writers in between. */
export class OwnBuilder implements Builder {
  readonly isAside = false;
  readonly #app: Services;
  readonly #building: Building;
  readonly #folderIds = new Map<string, number>();
  readonly #evidence: LandedEvidence;

  constructor(app: Services, building: Building) {
    this.#app = app;
    this.#building = building;
    this.#evidence = new LandedEvidence(building.seed, building.graph);
  }

  build(step: BuildingStep): Promise<void> {
    switch (step.kind) {
      case "folders":
        return this.#folders();
      case "documents":
        return this.#documents(step.documents);
      case "concepts":
        return buildConcepts(this.#app, this.#building, this.#evidence);
      case "summaries":
        return this.#summaries(step.folderKey, step.summaries);
    }
  }

  async close(): Promise<void> {}

  async #folders(): Promise<void> {
    const { workspaceId, knowledgeBaseId, folders } = this.#building;
    const ids = this.#folderIds;
    for (let i = 0; i < folders.length; i += FOLDERS_PER_TRANSACTION) {
      const made = await this.#app.database.transaction(async (tx) => {
        await lockStructure(tx, workspaceId);
        const some = new Map<string, number>();
        for (const { key, parentKey, name } of folders.slice(i, i + FOLDERS_PER_TRANSACTION)) {
          const parentId = parentKey === null ? null : (some.get(parentKey) ?? ids.get(parentKey) ?? null);
          some.set(key, (await createFolder(this.#app, tx, { workspaceId, knowledgeBaseId, name, parentId })).id);
        }
        return some;
      });
      for (const [key, id] of made) ids.set(key, id);
    }
  }

  #documents(ready: readonly ReadyDocument[]): Promise<void> {
    const app = this.#app;
    const building = this.#building;
    const { workspaceId, graph, documentIds } = building;
    return app.database.transaction(async (tx) => {
      const planned = ready.map((document) => document.planned);
      await lockTargets(tx, building, planned, this.#folderIds);
      for (const document of ready) {
        await insertAttachments(tx, document.attachments);
        const bytes = document.attachments.reduce((sum, row) => sum + row.size, 0);
        ledgerOf(tx, workspaceId).count("attachment_bytes", bytes, app.config.maxStorageBytes);
        const { key, language } = document.planned;
        const variant = language && (await buildLanguage(tx, building, document, language));
        const row = await createDocument(app, tx, this.#newDocument(document, variant));
        const { fileAddresses } = document;
        if (Object.keys(fileAddresses).length > 0)
          await putFileAddresses(tx, { workspaceId, documentId: row.id }, fileAddresses);
        if (document.discussion) {
          const discussed = { document: row, key, archivedVersion: document.planned.version };
          await buildDiscussion(tx, building, discussed, document.discussion);
        }
        const blockOf = (id: string) => mappedBlockId(building.seed, key, id);
        await buildSummaries(tx, building, { scope: "document", targetId: row.id, blockOf }, document.summaries);
        await this.#evidence.note(tx, key, workspaceId, document.id);
        await buildRelations(tx, building, graph.relations.get(key) ?? [], documentIds, this.#evidence);
      }
    });
  }

  #summaries(folderKey: string | null, summaries: readonly PlannedSummary[]): Promise<void> {
    const { workspaceId, knowledgeBaseId } = this.#building;
    const folder = folderKey === null ? undefined : this.#folderIds.get(folderKey);
    return this.#app.database.transaction(async (tx) => {
      await keepKnowledgeBases(tx, workspaceId, [knowledgeBaseId]);
      if (folder !== undefined) await tx.lock("folder", workspaceId, folder, "keep");
      const about =
        folder === undefined
          ? ({ scope: "knowledge_base", targetId: String(knowledgeBaseId) } as const)
          : ({ scope: "folder", targetId: String(folder) } as const);
      await buildSummaries(tx, this.#building, about, summaries);
    });
  }

  #newDocument({ id, planned, title, body, frontMatter }: ReadyDocument, variant: Partial<DocumentRow> | undefined) {
    const { workspaceId, knowledgeBaseId, actor, seed } = this.#building;
    return {
      workspaceId,
      id,
      title,
      knowledgeBaseId,
      folderId: planned.folderKey === null ? null : (this.#folderIds.get(planned.folderKey) ?? null),
      fileName: planned.fileName === title ? null : planned.fileName,
      documentType: planned.documentType,
      headingNumbered: planned.headingNumbered,
      backgroundColor: planned.backgroundColor,
      collapsedBlockIds: planned.collapsedBlockIds.map((block) => mappedBlockId(seed, planned.key, block)),
      isTemplate: planned.isTemplate,
      body,
      frontMatter,
      actor,
      isImported: true,
      variant: {
        ...variant,
        ...(planned.createdAt !== undefined && { created_at: planned.createdAt }),
        ...(planned.updatedAt !== undefined && { updated_at: planned.updatedAt }),
      },
    };
  }
}
