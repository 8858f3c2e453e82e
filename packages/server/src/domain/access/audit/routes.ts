import { Readable } from "node:stream";
import type { Reader } from "../../../db/database.ts";
import { apiError, notFound } from "../../../errors.ts";
import type { Answer } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { pageOf } from "../../../http/page.ts";
import { type Route, read } from "../../../http/route.ts";
import { requireAtLeast } from "../../../rights/rights.ts";
import { parseUpdatedSince } from "../../library/documents/updated-since.ts";
import { type EntryFilter, type EntryRow, isKnownPerson, isKnownToken, listEntries } from "./queries.ts";
import { AuditEntry, AuditQuery, exampleEntry } from "./schema.ts";

const JSON_LINES = "application/x-ndjson";
const BATCH = 500;

const represent = ({ agent, ...row }: EntryRow) => ({ ...row, agent: agent === 1 });

/** Only owners, and only with tokens that reach everything: entries name content of every knowledge base. */
function requireAuditor({ role, rights }: Caller): void {
  requireAtLeast(role, "owner");
  if (rights?.hidden)
    throw apiError("insufficient_role", { role, hint: "Use a token that is not bound to knowledge bases." });
}

async function* lines(db: Reader, filter: EntryFilter): AsyncGenerator<string> {
  let last: number | undefined;
  for (;;) {
    const rows = await listEntries(db, filter, "asc", last, BATCH);
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(represent(row))}\n`).join("");
    if (rows.length < BATCH) return;
    last = rows.at(-1)?.id;
  }
}

const jsonLines = (db: Reader, filter: EntryFilter, isHead: boolean): Answer => ({
  headers: { "content-disposition": 'attachment; filename="audit.jsonl"', "cache-control": "private, no-store" },
  raw: { contentType: JSON_LINES, body: Readable.from(isHead ? [] : lines(db, filter)) },
});

const wantsLines = (format: string | undefined, accept: string | undefined): boolean =>
  format === undefined ? /\bapplication\/(jsonl|x-ndjson)\b/i.test(accept ?? "") : format === "jsonl";

export const auditRoutes: Route[] = [
  read({
    operation: "list_audit_entries",
    path: "/audit",
    tag: "Audit",
    summary: "The audit log of the workspace, newest first. For owners.",
    description:
      "Every change leaves one entry, sign-ins and refused passwords too. They are kept for " +
      "`SVC_AUDIT_RETENTION_DAYS`. `format=jsonl` exports all that fit as JSON lines, the oldest first; whoever " +
      "collects them asks with a `since` a minute before the last one that they have, and knows entries again by `id`.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "workspace" },
    query: AuditQuery,
    errors: ["insufficient_role", "not_found"],
    success: {
      status: 200,
      description: "A page of entries, or all of them as JSON lines.",
      data: AuditEntry,
      list: true,
      content: [JSON_LINES],
      example: exampleEntry,
    },
    handler: async ({ app, caller, db, query, request }) => {
      requireAuditor(caller);
      const { limit, cursor, format, user_id: userId, token_id: tokenId, since, until, ...rest } = query;
      const { workspaceId } = caller;
      if (userId !== undefined && !(await isKnownPerson(db, workspaceId, userId))) throw notFound("user", userId);
      if (tokenId !== undefined && !(await isKnownToken(db, workspaceId, tokenId))) throw notFound("token", tokenId);
      const filter: EntryFilter = {
        ...rest,
        workspaceId,
        userId,
        tokenId,
        since: since === undefined ? undefined : parseUpdatedSince(since, "since"),
        until: until === undefined ? undefined : parseUpdatedSince(until, "until"),
      };
      if (wantsLines(format, request.headers.accept)) return jsonLines(db, filter, request.method === "HEAD");
      const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
      return pageOf(app.secret, { list: "audit", ...filter }, page, {
        fetch: ([before], size) =>
          listEntries(db, filter, "desc", before === undefined ? undefined : Number(before), size),
        keyOf: (row) => [row.id],
        represent,
      });
    },
  }),
];
