import { Type } from "typebox";
import { actorOf } from "../../../events/actor.ts";
import { deleted } from "../../../http/answer.ts";
import { type Route, remove } from "../../../http/route.ts";
import { deletedSchema } from "../../../http/schemas.ts";
import { exampleVariant, VersionParams } from "../../knowledge/localization/schema.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { DocumentParams, exampleDocument } from "../../library/documents/schema.ts";
import { FolderParams } from "../../library/folders/schema.ts";
import { Confirmation, KnowledgeBaseParams } from "../../library/knowledge-bases/schema.ts";
import { loadSetOf } from "../../library/language-versions/load-set.ts";
import { deleteDocument } from "./delete-document.ts";
import { deleteFolder, emptyFolder } from "./delete-folder.ts";
import { type Deletion, deleteKnowledgeBase, emptyKnowledgeBase } from "./delete-knowledge-base.ts";
import { deleteVersion } from "./delete-version.ts";

/** Routes that delete content. They use every other module; no other module uses them. */
export const deletionRoutes: Route[] = [
  remove({
    operation: "delete_knowledge_base",
    path: "/knowledge-bases/{id}",
    tag: "Knowledge bases",
    summary: "Delete a knowledge base with everything in it, for good.",
    scopes: ["knowledge-bases:write"],
    access: { action: "write", subject: "knowledge_base" },
    params: KnowledgeBaseParams,
    body: Confirmation,
    bodyExample: { confirm_id: "kb_01K9ZQ4T6N4Y3V7J8W2M5R1XCH" },
    errors: ["confirmation_mismatch", "localization_has_targets"],
    success: { status: 200, description: "It is gone.", data: deletedSchema(), example: { id: 7, deleted: true } },
    prepare: async (input) => {
      const { app, caller, params, body } = input;
      const deletion: Deletion = {
        workspaceId: caller.workspaceId,
        id: params.id,
        confirmId: body.confirm_id,
        actor: actorOf(input),
        rights: caller.rights,
      };
      await emptyKnowledgeBase(app, deletion);
      return deletion;
    },
    handler: async ({ app, tx, params, prepared }) => {
      await deleteKnowledgeBase(app, tx, prepared);
      return deleted(params.id);
    },
  }),
  remove({
    operation: "delete_folder",
    path: "/folders/{id}",
    tag: "Folders",
    summary: "Delete a folder with all it holds.",
    description: "It can be restored from the trash while that keeps it.",
    scopes: ["knowledge-bases:write"],
    access: { action: "write", subject: "folder" },
    params: FolderParams,
    errors: ["localization_has_targets"],
    success: { status: 200, description: "It is gone.", data: deletedSchema(), example: { id: 3, deleted: true } },
    prepare: (input) =>
      emptyFolder(input.app, {
        workspaceId: input.caller.workspaceId,
        id: input.params.id,
        actor: actorOf(input),
        rights: input.caller.rights,
      }),
    handler: async ({ app, tx, params, prepared }) => {
      await deleteFolder(app, tx, prepared);
      return deleted(params.id);
    },
  }),
  remove({
    operation: "delete_document",
    path: "/documents/{id}",
    tag: "Documents",
    summary: "Delete a document with its body and attachments.",
    description:
      "It can be restored from the trash while that keeps it. The source of a set that has target language versions cannot be deleted.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document" },
    params: DocumentParams,
    errors: ["localization_has_targets"],
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: exampleDocument.id, deleted: true },
    },
    handler: async (input) => {
      const { app, caller, tx, params } = input;
      const { workspaceId, rights } = caller;
      await deleteDocument(app, tx, { workspaceId, id: params.id, actor: actorOf(input), rights });
      return deleted(params.id);
    },
  }),
  remove({
    operation: "delete_localization",
    path: "/documents/{id}/localizations/{locale}",
    tag: "Languages",
    summary: "Delete a target language version.",
    description: "Like any document it can be restored from the trash while that keeps it.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", changesVersions: true },
    params: VersionParams,
    errors: ["invalid_locale", "localization_has_targets"],
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String({ description: "Id of the version's document." })),
      example: { id: exampleVariant.document_id, deleted: true },
    },
    handler: async (input) => {
      const { app, caller, tx, params } = input;
      const loaded = await loadSetOf(tx, caller.workspaceId, params.id);
      const change = { loaded, locale: parseLocale(params.locale), actor: actorOf(input), rights: caller.rights };
      return deleted((await deleteVersion(app, tx, change)).id);
    },
  }),
];
