import { splitFrontMatter } from "@svc/document/properties/front-matter";
import { Type } from "typebox";
import type { StoredBody } from "../../../bodies/body.ts";
import { changeBody } from "../../../bodies/change-body.ts";
import { parseOver } from "../../../bodies/parsing/parse-content.ts";
import { BodyContent } from "../../../bodies/parsing/schema.ts";
import { actorOf } from "../../../events/actor.ts";
import { requireExpected } from "../../../http/preconditions.ts";
import { put, type Route } from "../../../http/route.ts";
import { object, oneOf } from "../../../http/schemas.ts";
import { DocumentParams } from "../../library/documents/schema.ts";
import { putFileAddresses } from "../../library/file-addresses/queries.ts";
import { setProperties } from "../../library/properties/set-properties.ts";
import { showNamed } from "../attachments/named-pictures.ts";
import { listAttachments } from "../attachments/queries.ts";
import { editOrMerge, onConflict } from "../blocks/merge-stale.ts";
import { answerWritten } from "../content/answer-written.ts";
import { keptRaw } from "../content/kept-raw.ts";
import { dryRun, exampleWritten, mode, suggested, Written } from "../content/schema.ts";
import { isSuggesting, suggestEdit } from "../proposals/propose.ts";

/** The Markdown parts of a body sent in another format. */
const NO_MARKDOWN: { readonly frontMatter: string; readonly body: string | undefined } = {
  frontMatter: "",
  body: undefined,
};

export const bodyWriteRoutes: Route[] = [
  put({
    operation: "put_content",
    sharesCommit: true,
    path: "/documents/{id}/content",
    tag: "Body",
    summary: "Replace the whole body.",
    description:
      "Blocks without an id get one. In Markdown, a block whose anchor is kept keeps its id; with `ids=match` also one without an anchor that stays or is only edited. Front matter (YAML between `---` at the start of Markdown) sets the properties; without it they stay, and so they do when the write becomes a suggestion, which tells it in `warnings`. A write that changes nothing keeps the version. To merge with what others wrote meanwhile (`on_conflict=merge`), blocks must be known again: keep the anchors, send `tiptap-json` with ids, or `ids=match`.",
    scopes: ["documents:write"],
    access: { action: "write_or_suggest", subject: "document" },
    params: DocumentParams,
    query: object({
      ids: Type.Optional(
        oneOf(
          ["new", "match"],
          "The id of a Markdown block without an anchor: a new one (`new`, the default of a write), or the id of the stored block that it matches by content (`match`, the default of a suggestion).",
        ),
      ),
      mode: mode(),
      dry_run: dryRun(),
      on_conflict: onConflict("`If-Match`"),
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
    prepare: (input) => {
      const { app, caller, db, params, query, body } = input;
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const ids = query.ids ?? (isSuggesting(input) ? "match" : "new");
      return parseOver(body, db, key, app.config, ids === "match");
    },
    handler: async (input) => {
      const { app, caller, tx, params, query } = input;
      const { body } = input;
      if (isSuggesting(input))
        return suggestEdit(input, { edit: input.prepared.edit, needsExpected: true, content: body });
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const merges = query.on_conflict === "merge";
      let isMerged = false;
      const merge = (current: StoredBody) => {
        const base = requireExpected(input.ifMatch);
        isMerged = base !== "*" && base !== current.version;
        return editOrMerge({ app, tx, key, base }, input.prepared.edit)(current);
      };
      const pictures =
        body.format === "markdown" && body.content.includes("![[")
          ? await listAttachments(tx, caller.workspaceId, params.id)
          : [];
      const edit = merges ? merge : input.prepared.edit;
      const readMarkdown = () => (body.format === "markdown" ? splitFrontMatter(body.content) : NO_MARKDOWN);
      const changed = await changeBody(app, tx, {
        key,
        reason: "content",
        actor: actorOf(input),
        expected: merges ? "*" : input.ifMatch,
        needsExpected: !merges,
        edit: pictures.length === 0 ? edit : async (current) => showNamed(await edit(current), pictures),
        made: pictures.length === 0 ? input.prepared.made : undefined,
        source: () => (isMerged ? undefined : readMarkdown().body),
      });
      const kept = body.format === "markdown" ? keptRaw(changed.after.blocks) : [];
      const { frontMatter } = readMarkdown();
      if (body.format === "markdown" && body.file_addresses && !query.dry_run)
        await putFileAddresses(tx, key, body.file_addresses);
      if (frontMatter !== "") await setProperties(app, tx, { key, frontMatter, actor: actorOf(input) });
      return answerWritten(changed, { dryRun: query.dry_run, ...(kept.length > 0 && { more: { warnings: kept } }) });
    },
  }),
];
