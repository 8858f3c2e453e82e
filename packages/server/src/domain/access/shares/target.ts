import type { ShareRow } from "../../../db/schema/tables/documents.ts";

/** The target of a public link. */
export type ShareTarget =
  | { readonly kind: "document"; readonly id: string }
  | { readonly kind: "folder"; readonly id: number };

export const targetOf = ({ document_id, folder_id }: Pick<ShareRow, "document_id" | "folder_id">): ShareTarget =>
  document_id === null ? { kind: "folder", id: Number(folder_id) } : { kind: "document", id: document_id };

/** The columns that identify it. */
export const columnsOf = (target: ShareTarget): Pick<ShareRow, "document_id" | "folder_id"> => ({
  document_id: target.kind === "document" ? target.id : null,
  folder_id: target.kind === "folder" ? target.id : null,
});

/** The target's name from which the link's token is derived. */
export const nameOf = (target: ShareTarget): string => (target.kind === "document" ? target.id : `folder ${target.id}`);
