import type { DocumentItem, FolderItem } from "@svc/sdk";
import type { IconName } from "../../../shared/icons.ts";
import { api } from "../common/api.ts";
import type { Container, TreeItem } from "./tree-item.ts";

/** Nodes that are shown at once; more come when they are asked for. */
const LEVEL = 100;

export type Child = Exclude<TreeItem, { kind: "base" }> & { readonly isFilled: boolean; readonly icon: IconName };

interface Level {
  readonly children: readonly Child[];
  readonly next: string | null;
}

function childOf(item: FolderItem | DocumentItem): Child {
  if (item.type === "document")
    return { kind: "document", id: item.id, name: item.title, isFilled: false, icon: item.document_type };
  const { id, name, index_document_id, has_children } = item;
  const page = index_document_id ?? undefined;
  return { kind: "folder", id, name, page, isFilled: has_children ?? true, icon: page ? "document" : "folder" };
}

/** The direct children of a knowledge base or folder. */
export async function readLevel(at: Container, cursor?: string): Promise<Level> {
  const query = { limit: LEVEL, ...(cursor && { cursor }) };
  const path = { id: at.id };
  const { data, page } =
    at.kind === "base"
      ? await api.get("/knowledge-bases/{id}/children", { path, query })
      : await api.get("/folders/{id}/children", { path, query });
  // The row of a folder with an index page stands for both.
  const own = at.kind === "folder" ? at.page : undefined;
  return { children: data.flatMap((item) => (item.id === own ? [] : childOf(item))), next: page.next_cursor };
}
