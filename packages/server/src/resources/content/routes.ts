import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { Type } from "typebox";
import { readBody, readBodyOnce } from "../../bodies/body.ts";
import { changeBody } from "../../bodies/change-body.ts";
import { readRuns } from "../../bodies/read-runs.ts";
import { keepSource, readSource } from "../../bodies/sources.ts";
import { getBodyState } from "../../bodies/store.ts";
import { invalidRequest } from "../../errors.ts";
import { actorOf } from "../../events/actor.ts";
import { put, type Route, read } from "../../http/route.ts";
import { flag, object, oneOf } from "../../http/schemas.ts";
import { readNamedPages, resolveLinks } from "../links-by-name/read-pages.ts";
import { getFrontMatter } from "../properties/queries.ts";
import { setProperties } from "../properties/set-properties.ts";
import { isSuggesting, suggestEdit } from "../proposals/propose.ts";
import { answerContent } from "./answer-content.ts";
import { answerWritten } from "./answer-written.ts";
import { keptRaw } from "./kept-raw.ts";
import { parseOver } from "./parse-content.ts";
import { BodyContent, Content, dryRun, exampleWritten, formatQuery, mode, suggested, Written } from "./schema.ts";

const params = Type.Object({ id: Type.String() });
const tag = "Body";

export const contentRoutes: Route[] = [
  read({
    operation: "get_content",
    path: "/documents/{id}/content",
    tag,
    summary: "The whole body.",
    description:
      "`markdown` and `html` answer the text itself, or JSON if `Accept` asks for `application/json`. What Markdown cannot say is told in `X-Content-Warnings` (the JSON form has all of it).",
    scopes: ["documents:read"],
    params,
    query: object({
      ...formatQuery,
      front_matter: flag("With `format=markdown`: the document's properties first, as front matter."),
      live: flag("First bring in what people are typing in the browser, so that the answer has their newest word."),
    }),
    etag: true,
    success: {
      status: 200,
      description: "The body.",
      data: Content,
      content: ["text/markdown", "text/html"],
      headers: { "X-Content-Warnings": "JSON array of degradations." },
      example: {
        format: "tiptap-json",
        document: { type: "doc", content: [] },
        version: exampleWritten.version,
        warnings: [],
      },
    },
    handler: async ({ app, caller, db, params, query: { live, front_matter, ...query }, request }) => {
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      if (front_matter && query.format !== "markdown")
        throw invalidRequest("query.front_matter", "goes with format=markdown");
      if (live) await app.live.bringIn(key);
      const state = await getBodyState(db, key);
      // Who asks for anchors is about to write, and will need the blocks and their Markdown again.
      const load = query.annotate ? readBody : readBodyOnce;
      const head = front_matter ? (await getFrontMatter(db, caller.workspaceId, params.id)).front_matter : undefined;
      const pages = query.format === "html" ? await readNamedPages(db, caller.workspaceId, params.id) : undefined;
      const finish = pages && pages.size > 0 ? (html: string) => resolveLinks(html, pages) : undefined;
      return answerContent(state.version, { ...query, head, finish }, request, {
        body: () => load(db, key, state),
        runs: (form) => readRuns(db, key, state, form),
        ...(state.style && { style: { hash: state.style, read: () => readSource(db, key) } }),
      });
    },
  }),
  put({
    operation: "put_content",
    sharesCommit: true,
    path: "/documents/{id}/content",
    tag,
    summary: "Replace the whole body.",
    description:
      "Blocks without an id get one. In Markdown, a block whose anchor is kept keeps its id; with `ids=match` also one without an anchor that stays or is only edited. Front matter (YAML between `---` at the start of Markdown) sets the properties; without it they stay. A write that changes nothing keeps the version.",
    scopes: ["documents:write"],
    params,
    suggestible: true,
    query: object({
      ids: Type.Optional(
        oneOf(
          ["new", "match"],
          "What a block of Markdown without an anchor gets: a new id (default), or with `match` the id of the stored block that its content tells it is.",
        ),
      ),
      mode: mode(),
      dry_run: dryRun(),
    }),
    body: BodyContent,
    bodyExample: { format: "markdown", content: "# Title\n\nA paragraph.\n" },
    ifMatch: "required",
    etag: true,
    errors: [
      "invalid_document",
      "duplicate_anchor",
      "unknown_anchor",
      "duplicate_block_id",
      "document_too_large",
      "attachment_not_found",
      "invalid_properties",
    ],
    success: {
      status: 200,
      description: "The new version.",
      data: Written,
      example: exampleWritten,
      alternatives: [suggested],
    },
    prepare: ({ app, caller, db, params, query, body }) => {
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      return parseOver(body, db, key, app.config, query.ids === "match");
    },
    handler: async (input) => {
      const { app, caller, tx, params, query } = input;
      if (isSuggesting(input)) return suggestEdit(input, { edit: input.prepared, needsExpected: true });
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const changed = await changeBody(app, tx, {
        key,
        reason: "content",
        actor: actorOf(input),
        expected: input.ifMatch,
        needsExpected: true,
        edit: input.prepared,
      });
      const { body } = input;
      const kept = body.format === "markdown" ? keptRaw(changed.after.blocks) : [];
      if (body.format === "markdown") {
        const { frontMatter, body: text } = splitFrontMatter(body.content);
        await keepSource(tx, key, changed.after, text);
        if (frontMatter !== "") await setProperties(app, tx, { key, frontMatter, actor: actorOf(input) });
      }
      return answerWritten(changed, { dryRun: query.dry_run, ...(kept.length > 0 && { more: { warnings: kept } }) });
    },
  }),
];
