import type { DocumentItem, FolderItem } from "@svc/sdk";
import type { PlaceItem } from "@svc/web/server/pages/library/rows";
import type { FolderStep } from "@svc/web/shared/page";
import { goTo, idFrom, type MemberVisit, type Outcome, post } from "../visit.ts";

/** Max subpages that a page lists at its end. */
const MAX_SUBPAGES = 100;

/** An item of a folder as a page lists it. */
export const placeItem = (item: FolderItem | DocumentItem, authors?: ReadonlyMap<string, string>): PlaceItem =>
  item.type === "folder"
    ? { kind: "folder", id: item.id, name: item.name, page: item.index_document_id ?? undefined }
    : {
        kind: "document",
        id: item.id,
        title: item.title,
        type: item.document_type,
        updatedAt: item.updated_at,
        by: authors?.get(item.id),
      };

/** The pages and folders below an index page; empty for other pages. */
export async function readSubpages(
  { api }: MemberVisit,
  { id, folders }: { readonly id: string; readonly folders: readonly FolderStep[] },
): Promise<PlaceItem[]> {
  const own = folders.at(-1);
  if (own?.page !== id) return [];
  const { data } = await api.get("/folders/{id}/children", { path: { id: own.id }, query: { limit: MAX_SUBPAGES } });
  return data.filter((item) => item.id !== id).map((item) => placeItem(item));
}

async function makeSubpage(visit: MemberVisit): Promise<Outcome> {
  const path = { id: idFrom(visit.params.id, "document") };
  const { data } = await visit.api.post("/documents/{id}/subpages", { path, body: { title: "Untitled" } });
  return goTo(`/documents/${data.id}/edit?rename=1`);
}

/** Stores in a property whether the page lists its subpages. */
const showSubpages =
  (isShown: boolean) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    const path = { id: idFrom(visit.params.id, "document") };
    const { data } = await visit.api.get("/documents/{id}/properties", { path });
    const { hide_subpages: _, ...rest } = data.properties;
    const properties = isShown ? rest : { ...rest, hide_subpages: true };
    await visit.api.put("/documents/{id}/properties", { path, body: { properties }, ifMatch: data.version });
    return goTo(`/documents/${path.id}`);
  };

export const subpagePages = [
  post("/documents/:id/subpages", makeSubpage),
  post("/documents/:id/subpages/hide", showSubpages(false)),
  post("/documents/:id/subpages/show", showSubpages(true)),
];
