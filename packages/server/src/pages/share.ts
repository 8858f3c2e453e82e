import { canWrite, goTo, type MemberVisit, type Outcome, post } from "./visit.ts";

const READ = "GET /documents/{id}/public-share";
const OPEN = "POST /documents/{id}/public-share";
const CLOSE = "DELETE /documents/{id}/public-share";

export interface Share {
  /** Where anybody can read the document; null while it is not shared. */
  readonly url: string | null;
}

/** Whether the document is shared; undefined where the service cannot share, or the person may not. */
export async function readShare(visit: MemberVisit, id: string): Promise<Share | undefined> {
  const { api } = visit;
  if (!canWrite(visit) || ![READ, OPEN, CLOSE].every((name) => api.has(name))) return undefined;
  const reply = await api
    .call<{ data: { url: string | null } }>(visit, READ, { params: { id } })
    .catch((error: { code?: string }) => {
      if (error.code === "not_found") return { data: { url: null } };
      throw error;
    });
  return { url: reply.data.url };
}

const switchShare =
  (name: string, notice: string) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    const id = visit.params.id ?? "";
    await visit.api.call(visit, name, { params: { id } });
    return goTo(`/documents/${encodeURIComponent(id)}`, notice);
  };

export const sharePages = [
  post("/documents/:id/share", switchShare(OPEN, "share-on")),
  post("/documents/:id/unshare", switchShare(CLOSE, "share-off")),
];
