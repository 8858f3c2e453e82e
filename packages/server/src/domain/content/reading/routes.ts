import { readBody } from "../../../bodies/load-body.ts";
import { notModified, ok, quoted } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { type Route, read } from "../../../http/route.ts";
import { parseLocale } from "../../library/documents/parse-locale.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { resolveVersion } from "../../library/language-versions/resolve-version.ts";
import { exampleWritten } from "../content/schema.ts";
import { outlineJson } from "./outline-json.ts";
import { readWindow } from "./read-window.ts";
import { Outline, Reading, ReadQuery } from "./schema.ts";

const tag = "Body";

export const readingRoutes: Route[] = [
  read({
    operation: "get_outline",
    path: "/documents/{id}/outline",
    tag,
    summary: "The headings as a tree, with the blocks of each section.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    etag: true,
    success: {
      status: 200,
      description: "A section begins with its heading and ends before the next of the same or a higher level.",
      data: Outline,
      example: { version: exampleWritten.version, items: [] },
    },
    handler: async ({ caller, db, params, request }) => {
      const body = await readBody(db, { workspaceId: caller.workspaceId, documentId: params.id });
      if (alreadyHas(request.headers["if-none-match"], body.version)) return notModified(body.version);
      const dataJson = `{"version":${JSON.stringify(body.version)},"items":${outlineJson(body)}}`;
      return { headers: { etag: quoted(body.version) }, dataJson };
    },
  }),
  read({
    operation: "read_document",
    path: "/documents/{id}/read",
    tag,
    summary: "Read blocks under a token budget.",
    description:
      "Whole top-level blocks that fit `max_tokens`, and a cursor that leads on; it holds for one version of the body. A single block that is larger than the budget is still given, with `budget_exceeded`. Tokens are estimated from the text in the asked view by script and word length, tuned against the o200k vocabulary: within a tenth of it on ordinary text.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: DocumentParams,
    query: ReadQuery,
    errors: ["read_cursor_stale", "invalid_locale"],
    success: {
      status: 200,
      description: "A window of the body.",
      data: Reading,
      example: {
        items: [
          {
            block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCM",
            type: "paragraph",
            heading_path: ["Introduction"],
            tokens: 2,
            content: "Hello",
          },
        ],
        next_cursor: null,
        budget_exceeded: false,
        used_tokens: 2,
        version: exampleWritten.version,
        requested_locale: null,
        resolved_locale: null,
        fallback_used: false,
      },
    },
    handler: async ({ app, caller, db, params, query }) => {
      const requested = query.locale === undefined ? null : parseLocale(query.locale);
      const { document, ...resolution } = await resolveVersion(db, caller.workspaceId, params.id, requested);
      const body = await readBody(db, { workspaceId: caller.workspaceId, documentId: document.id });
      return ok({ ...readWindow(app.secret, document.id, body, query), ...resolution });
    },
  }),
];
