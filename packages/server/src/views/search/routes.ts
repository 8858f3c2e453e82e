import { ok } from "../../http/answer.ts";
import { post, type Route, read } from "../../http/route.ts";
import { SSE_TYPE } from "../../http/wire/sse.ts";
import { ask } from "./ask/ask.ts";
import { eventAnswer, eventsOf, openStream, wantsEvents } from "./ask/ask-events.ts";
import { AskAnswer, exampleAnswer, Question } from "./ask/schema.ts";
import { fileTextRoutes } from "./files/routes.ts";
import { withBlocks } from "./read/whole-blocks.ts";
import { findPage } from "./read-hits.ts";
import { retrievalRoutes } from "./retrieval/routes.ts";
import { exampleHit, HitCounts, Projection, SearchHit, SearchQuery, SimpleHit, SimpleSearchQuery } from "./schema.ts";
import { simplePage } from "./search.ts";

const tag = "Search";

export const searchRoutes: Route[] = [
  ...fileTextRoutes,
  ...retrievalRoutes,
  read({
    operation: "search_v2",
    path: "/search/v2",
    tag,
    summary: "Find blocks and titles, with proof of freshness.",
    description:
      "One result per matching block that holds text itself, and per matching title. `topk` puts a document whose title or id is the query first, then goes by score. With `match=best` the score adds up what the words give in the block, in its headings, in its title and in its section; headings, code and short fragments rank below the best text of their section. Its cursor keeps the statistics of the first page. `exhaustive` goes by the order of the index: when the walk ends, every block that matches then has been returned in its current version, an unchanged one exactly once. Only documents that are indexed in their current version appear; `projection` tells of the others. Statistics are the workspace's own and do not change with a filter.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    query: SearchQuery,
    errors: ["invalid_cursor", "cursor_mismatch", "search_cursor_stale", "invalid_locale", "not_found"],
    success: {
      status: 200,
      description: "A page of hits.",
      data: SearchHit,
      list: true,
      more: { hits: HitCounts, projection: Projection },
      moreExample: {
        hits: { total: 1, all_words: 1, documents: 1, content: 1, title: 0 },
        projection: { complete: true, stale_count: 0, stale_document_ids: [] },
      },
      example: exampleHit,
    },
    handler: async ({ app, caller, db, query: { include_block, ...query } }) => {
      const answer = await findPage(app, caller.workspaceId, query);
      return include_block ? withBlocks(db, caller.workspaceId, answer) : answer;
    },
  }),
  read({
    operation: "search",
    path: "/search",
    tag,
    summary: "Find blocks: ids and excerpts only.",
    description: "For older programs; `/search/v2` returns more.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    query: SimpleSearchQuery,
    errors: ["invalid_cursor", "cursor_mismatch", "search_cursor_stale"],
    success: {
      status: 200,
      description: "A page of hits, best first.",
      data: SimpleHit,
      list: true,
      example: {
        document_id: exampleHit.document_id,
        block_id: exampleHit.block_id,
        excerpt: "Run the installer once.",
      },
    },
    handler: ({ app, caller, query }) => simplePage(app, caller.workspaceId, query),
  }),
  post({
    operation: "ask",
    path: "/ask",
    tag,
    summary: "Answer a question with passages of the pages.",
    description:
      "Finds the best passages among what the caller may see and answers them word for word, each with its block and version. `found` is false if none has enough of the question's words. If the server has a model and the token `summaries:generate`, the model writes the answer: every sentence cites, and each quote is checked in its block. With `Accept: text/event-stream` the answer comes as events: `citation` (an item of `citations`), `text` (an item of `answer`), and `done` with the rest.",
    scopes: ["documents:read"],
    access: { action: "personal", subject: "workspace", checkedByHandler: true },
    body: Question,
    bodyExample: { question: "How do I run the installer?" },
    errors: ["invalid_locale", "not_found", "quota_exceeded"],
    success: {
      status: 200,
      description: "The answer.",
      data: AskAnswer,
      example: exampleAnswer,
      content: [SSE_TYPE],
    },
    prepare: async ({ app, caller, body, request: { headers } }) => {
      const finish = await ask(app, caller, body);
      if (!wantsEvents(headers.accept)) return ok(await finish());
      // An answer that a key keeps is needed as a whole.
      const isKept = headers["idempotency-key"] !== undefined;
      return eventAnswer(isKept ? eventsOf(await finish()) : openStream(finish));
    },
    handler: async ({ prepared }) => prepared,
  }),
];
