import { publicLinksPage } from "@svc/web/pages/workspace/public-links";
import { endShare } from "../document/share.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";

const PAGE = 50;

async function showLinks(visit: MemberVisit): Promise<Outcome> {
  const cursor = visit.query.get("after");
  const { data, page } = await visit.api.get("/public-shares", { query: { limit: PAGE, ...(cursor && { cursor }) } });
  return show(
    publicLinksPage({
      formToken: visit.formToken,
      links: data.map((share) => ({
        kind: share.kind,
        id: share.document_id ?? String(share.folder_id),
        title: share.title,
        url: share.url,
        maker: share.created_by.name,
        createdAt: share.created_at,
        expiresAt: share.expires_at,
        hasPassword: share.has_password,
      })),
      next: page.next_cursor === null ? undefined : `/public-links?after=${encodeURIComponent(page.next_cursor)}`,
      now: Date.now(),
    }),
  );
}

export const publicLinkPages = [
  get("/public-links", showLinks),
  post("/public-links/end", async (visit) => {
    await endShare(visit, visit.form.get("kind") === "folder" ? "folder" : "document", visit.form.get("id"));
    return goTo("/public-links", "link-ended");
  }),
];
