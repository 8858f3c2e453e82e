import type { Static } from "typebox";
import type { Database, Reader } from "../../../db/database.ts";
import { type Answer, list } from "../../../http/answer.ts";
import { decodeListCursor, encodeListCursor } from "../../../http/cursor.ts";
import type { Services } from "../../../services.ts";
import { getKnowledgeBase } from "../../library/knowledge-bases/queries.ts";
import { incomingFreshness } from "./freshness.ts";
import { linkedRanking } from "./linked-ranking.ts";
import { relationOf } from "./represent.ts";
import { type Dangling, firstAfter, type Scope, scanDangling, scanUnlinked } from "./scan-links.ts";
import type { LinkReportQuery } from "./schema.ts";

type Key = readonly (string | number)[];
interface ReportPage {
  readonly items: readonly unknown[];
  readonly next?: Key;
}

/** One page of a report about the links of a knowledge base. */
export async function linkReport(
  app: Pick<Services, "database" | "secret">,
  db: Reader,
  asked: {
    readonly workspaceId: string;
    readonly knowledgeBaseId: number;
    readonly query: Static<typeof LinkReportQuery>;
    readonly vias: readonly string[];
  },
): Promise<Answer> {
  const { workspaceId, knowledgeBaseId, query, vias } = asked;
  const { report = "dangling", limit = 25, cursor } = query;
  await getKnowledgeBase(db, workspaceId, knowledgeBaseId);
  const identity = ["link_report", knowledgeBaseId, report, vias];
  const after = decodeListCursor(app.secret, identity, cursor) ?? [];
  const { items, next } = await reports[report]({ db, workspaceId, knowledgeBaseId, vias }, after, limit, app.database);
  const nextCursor = next ? encodeListCursor(app.secret, identity, next) : null;
  const page = { cursor: cursor ?? null, next_cursor: nextCursor, has_more: nextCursor !== null };
  return list(items, page, { projection_freshness: await incomingFreshness(app.database, workspaceId) });
}

const reports: Record<
  NonNullable<Static<typeof LinkReportQuery>["report"]>,
  (scope: Scope, after: Key, limit: number, database: Database) => Promise<ReportPage>
> = {
  async dangling(scope, after, limit) {
    const { items, next } = await scanDangling(scope, after.map(String), limit);
    return { items: items.map(danglingItem), ...(next && { next }) };
  },

  async unlinked(scope, after, limit) {
    const { items, next } = await scanUnlinked(scope, after.map(String), limit);
    return {
      items: items.map(({ id, title }) => ({ document_id: id, title, incoming_count: 0 })),
      ...(next && { next }),
    };
  },

  async most_linked(scope, [count = Number.MAX_SAFE_INTEGER, id = ""], limit, database) {
    const linked = await linkedRanking(database, scope);
    const from = firstAfter(linked, { count: Number(count), id: String(id) });
    const shown = linked.slice(from, from + limit);
    const last = shown.at(-1);
    const items = shown.map((item) => ({ document_id: item.id, title: item.title, incoming_count: item.count }));
    return { items, ...(last && from + limit < linked.length && { next: [last.count, last.id] }) };
  },
};

const danglingItem = ({ document, relation, state }: Dangling) => ({
  document_id: document.id,
  title: document.title,
  relation: relationOf(relation, "outgoing", state),
});
