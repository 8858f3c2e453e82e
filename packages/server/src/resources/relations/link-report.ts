import type { Static } from "typebox";
import type { Db } from "../../db/database.ts";
import { type Answer, list } from "../../http/answer.ts";
import { decodeListCursor, encodeListCursor } from "../../http/cursor.ts";
import type { Services } from "../../services.ts";
import { getKnowledgeBase } from "../knowledge-bases/queries.ts";
import { incomingFreshness } from "./freshness.ts";
import { relationOf } from "./represent.ts";
import { type Dangling, rankLinked, type Scope, scanDangling, scanUnlinked } from "./scan-links.ts";
import type { LinkReportQuery } from "./schema.ts";

type Key = readonly (string | number)[];
interface ReportPage {
  readonly items: readonly unknown[];
  readonly next?: Key;
}

/** One page of a report about the links of a knowledge base. */
export async function linkReport(
  app: Services,
  db: Db,
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
  const { items, next } = await reports[report]({ db, workspaceId, knowledgeBaseId, vias }, after, limit);
  const nextCursor = next ? encodeListCursor(app.secret, identity, next) : null;
  const page = { cursor: cursor ?? null, next_cursor: nextCursor, has_more: nextCursor !== null };
  return list(items, page, { projection_freshness: await incomingFreshness(app.database, workspaceId) });
}

const reports: Record<
  NonNullable<Static<typeof LinkReportQuery>["report"]>,
  (scope: Scope, after: Key, limit: number) => Promise<ReportPage>
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

  async most_linked(scope, [count = Number.MAX_SAFE_INTEGER, id = ""], limit) {
    const linked = await rankLinked(scope);
    const rest = linked.filter((item) => item.count < Number(count) || (item.count === count && item.id > String(id)));
    const shown = rest.slice(0, limit);
    const last = shown.at(-1);
    const items = shown.map((item) => ({ document_id: item.id, title: item.title, incoming_count: item.count }));
    return { items, ...(last && rest.length > limit && { next: [last.count, last.id] }) };
  },
};

const danglingItem = ({ document, relation, state }: Dangling) => ({
  document_id: document.id,
  title: document.title,
  relation: relationOf(relation, "outgoing", state),
});
