import type { ShareRow } from "../../db/schema/tables/documents.ts";

/** What a public link shows. */
export type ShareTarget =
  | { readonly kind: "document"; readonly id: string }
  | { readonly kind: "folder"; readonly id: number };

export const targetOf = ({ document_id, folder_id }: Pick<ShareRow, "document_id" | "folder_id">): ShareTarget =>
  document_id === null ? { kind: "folder", id: Number(folder_id) } : { kind: "document", id: document_id };

/** The columns that name it. */
export const columnsOf = (target: ShareTarget): Pick<ShareRow, "document_id" | "folder_id"> => ({
  document_id: target.kind === "document" ? target.id : null,
  folder_id: target.kind === "folder" ? target.id : null,
});

/** As what the link's token is derived from names it. */
export const nameOf = (target: ShareTarget): string => (target.kind === "document" ? target.id : `folder ${target.id}`);
