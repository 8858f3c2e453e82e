import { publicLinksPage } from "@svc/web/server/pages/workspace/public-links";
import { listPage } from "../../../domain/access/shares/list-page.ts";
import { getKnowledgeBase } from "../../../domain/library/knowledge-bases/queries.ts";
import { endShare } from "../document/share.ts";
import { get, goTo, holderOf, type MemberVisit, numberFrom, type Outcome, post, show } from "../visit.ts";

const PAGE = 50;

/** Shows the links of the workspace or of one knowledge base, whose owners may not be owners of the workspace. */
async function showLinks(visit: MemberVisit): Promise<Outcome> {
  const [cursor, base] = [visit.query.get("after"), baseOf(visit.query)];
  const query = { limit: PAGE, ...(cursor && { cursor }), ...(base !== undefined && { knowledge_base_id: base }) };
  const { app, viewer, baseUrl } = visit;
  const { read } = app.database;
  const [answer, knowledgeBase] = await Promise.all([
    listPage(app, read, holderOf(visit), query, baseUrl),
    base === undefined ? undefined : getKnowledgeBase(read, viewer.workspace.id, base),
  ]);
  const { data, page } = answer.envelope;
  return show(
    publicLinksPage({
      formToken: visit.formToken,
      knowledgeBase: knowledgeBase && { id: knowledgeBase.id, name: knowledgeBase.name },
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
      next:
        page.next_cursor === null
          ? undefined
          : `/public-links?${new URLSearchParams({ ...(base !== undefined && { base: String(base) }), after: page.next_cursor })}`,
      now: Date.now(),
    }),
  );
}

function baseOf(fields: URLSearchParams): number | undefined {
  const text = fields.get("base");
  return text === null ? undefined : numberFrom(text, "knowledge_base");
}

export const publicLinkPages = [
  get("/public-links", showLinks),
  post("/public-links/end", async (visit) => {
    await endShare(visit, visit.form.get("kind") === "folder" ? "folder" : "document", visit.form.get("id"));
    const base = baseOf(visit.form);
    return goTo(base === undefined ? "/public-links" : `/public-links?base=${base}`, "link-ended");
  }),
];
