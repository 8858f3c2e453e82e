import { Type } from "typebox";
import { getBodyState, readBody, readBodyOnce } from "../../../bodies/load-body.ts";
import { invalidRequest } from "../../../errors.ts";
import { type Route, read } from "../../../http/route.ts";
import { flag, object } from "../../../http/schemas.ts";
import { readFileAddresses } from "../../library/file-addresses/queries.ts";
import { hasNamedLinks, readNamedPages, resolveLinks } from "../../library/links-by-name/read-pages.ts";
import { getFrontMatter } from "../../library/properties/queries.ts";
import { answerContent } from "./answer-content.ts";
import { bodySource } from "./body-source.ts";
import { hasNoNamedLinks, type ReadyText } from "./render.ts";
import { Content, exampleWritten, formatQuery } from "./schema.ts";

const params = Type.Object({ id: Type.String() });
const tag = "Body";

export const contentRoutes: Route[] = [
  read({
    operation: "get_content",
    path: "/documents/{id}/content",
    tag,
    summary: "The whole body.",
    description:
      "`markdown` and `html` answer the text itself, or JSON if `Accept` asks for `application/json`. `X-Content-Warnings` lists what Markdown cannot express (the JSON form has all warnings).",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
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
      // A caller that requests anchors is about to write and will need the blocks and their Markdown again.
      const load = query.annotate ? readBody : readBodyOnce;
      const addresses = front_matter ? await readFileAddresses(db, key) : undefined;
      const head = front_matter ? (await getFrontMatter(db, caller.workspaceId, params.id)).front_matter : undefined;
      const nameLinks = async (html: ReadyText) =>
        hasNoNamedLinks(html.version) || !hasNamedLinks(html.bytes ?? html.text)
          ? undefined
          : resolveLinks(html.text, await readNamedPages(db, caller.workspaceId, params.id));
      const finish = query.format === "html" && !hasNoNamedLinks(state.version) ? nameLinks : undefined;
      return answerContent(
        state.version,
        { ...query, head, addresses, finish },
        request,
        bodySource(db, key, state, load),
      );
    },
  }),
];
