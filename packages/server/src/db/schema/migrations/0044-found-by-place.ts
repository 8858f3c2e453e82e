import type { Migration } from "../migration.ts";

/** Who watches a document that goes, and the tokens of a workspace, are found without reading those of all others. */
export const foundByPlace: Migration = async ({ schema }) => {
  await schema.createIndex("watches_document").on("watches").columns(["workspace_id", "document_id"]).execute();
  await schema.createIndex("tokens_workspace").on("tokens").columns(["workspace_id", "id"]).execute();
};
