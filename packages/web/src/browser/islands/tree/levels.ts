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

/** The direct children of a knowledge base or folder. */
export async function readLevel(at: Container, cursor?: string): Promise<Level> {
  const query = { limit: LEVEL, ...(cursor && { cursor }) };
  const path = { id: at.id };
  const { data, page } =
    at.kind === "base"
      ? await api.get("/knowledge-bases/{id}/children", { path, query })
      : await api.get("/folders/{id}/children", { path, query });
  const children = data.map(
    (item): Child =>
      item.type === "folder"
        ? { kind: "folder", id: item.id, name: item.name, isFilled: item.has_children ?? true, icon: "folder" }
        : { kind: "document", id: item.id, name: item.title, isFilled: false, icon: item.document_type },
  );
  return { children, next: page.next_cursor };
}
