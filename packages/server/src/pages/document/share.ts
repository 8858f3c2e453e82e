import { ApiError } from "@svc/sdk";
import { canWrite, goTo, idFrom, type MemberVisit, type Outcome, post } from "../visit.ts";

const PATH = "/documents/{id}/public-share";

export interface Share {
  /** Where anybody can read the document; null while it is not shared. */
  readonly url: string | null;
}

/** Whether the document is shared; undefined where the person may not share. */
export async function readShare(visit: MemberVisit, id: string): Promise<Share | undefined> {
  if (!canWrite(visit)) return undefined;
  try {
    const { data } = await visit.api.get(PATH, { path: { id } });
    return { url: data.url };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { url: null };
    throw error;
  }
}

const switchShare =
  (change: (visit: MemberVisit, id: string) => Promise<unknown>, notice: string) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    const id = idFrom(visit.params.id, "document");
    await change(visit, id);
    return goTo(`/documents/${encodeURIComponent(id)}`, notice);
  };

export const sharePages = [
  post(
    "/documents/:id/share",
    switchShare((visit, id) => visit.api.post(PATH, { path: { id } }), "share-on"),
  ),
  post(
    "/documents/:id/unshare",
    switchShare((visit, id) => visit.api.delete(PATH, { path: { id } }), "share-off"),
  ),
];
