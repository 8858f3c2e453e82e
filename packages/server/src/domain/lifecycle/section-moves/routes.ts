import { parsePosition } from "@svc/document/blocks/position";
import { Type } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { actorOf } from "../../../events/actor.ts";
import { ok } from "../../../http/answer.ts";
import { post, type Route } from "../../../http/route.ts";
import { idInBody, object } from "../../../http/schemas.ts";
import { reaches, roleIn } from "../../../rights/rights.ts";
import { BlockParams, exampleBlock, Position } from "../../content/blocks/schema.ts";
import { exampleWritten } from "../../content/content/schema.ts";
import { getDocument, listVersions } from "../../library/documents/queries.ts";
import { exampleDocument } from "../../library/documents/schema.ts";
import { moveSection } from "./move-section.ts";

const state = object({ document_id: Type.String(), version: Type.String() });
const place = object({ document_id: Type.String(), block_id: Type.String() });
const exampleState = { document_id: exampleDocument.id, version: exampleWritten.version };

export const sectionMoveRoutes: Route[] = [
  post({
    operation: "move_section",
    path: "/documents/{id}/sections/{blockId}/move",
    tag: "Blocks",
    summary: "Move the section of a heading, or one top-level block, to a place in this or another document.",
    description:
      "Blocks keep their ids. Links to them lead to where they are now, in every document that the caller may write; those in other documents stay as they are, and the ones that the caller sees are told in `not_relinked`; threads about them and their stated relations go along; files that they show are copied to the target. Each document that changes keeps its state before as a snapshot. `If-Match` is the source's version. It cannot be made a suggestion.",
    scopes: ["documents:write"],
    access: { action: "write", subject: "document", writes: { target_document_id: "document" } },
    params: BlockParams,
    body: object({ target_document_id: idInBody(), position: Type.Optional(Position) }),
    bodyExample: { target_document_id: exampleDocument.id, position: { document_end: true } },
    ifMatch: "optional",
    etag: true,
    errors: [
      "block_not_found",
      "heading_not_found",
      "invalid_document",
      "duplicate_block_id",
      "document_too_large",
      "quota_exceeded",
    ],
    success: {
      status: 200,
      description: "The new versions of both, what moved, and which blocks got their links changed.",
      data: object({
        source: state,
        target: state,
        moved_block_ids: Type.Array(Type.String()),
        relinked: Type.Array(place),
        not_relinked: Type.Array(place, { description: "Links in documents that the caller may only read." }),
      }),
      example: {
        source: exampleState,
        target: exampleState,
        moved_block_ids: [exampleBlock.id],
        relinked: [{ document_id: exampleDocument.id, block_id: exampleBlock.id }],
        not_relinked: [],
      },
    },
    handler: async (input) => {
      const { app, caller, tx, params, body } = input;
      const { workspaceId } = caller;
      await getDocument(tx, workspaceId, params.id);
      await getDocument(tx, workspaceId, body.target_document_id);
      const { source, target, movedIds, relinked, notRelinked } = await moveSection(app, tx, {
        workspaceId,
        from: params.id,
        blockId: params.blockId,
        to: body.target_document_id,
        position: parsePosition(body.position ?? { document_end: true }),
        expected: input.ifMatch,
        actor: actorOf(input),
        mayWrite: (knowledgeBaseId) => reaches(roleIn(caller, knowledgeBaseId), "editor"),
      });
      return ok(
        {
          source: { document_id: params.id, version: source.version },
          target: { document_id: body.target_document_id, version: target.version },
          moved_block_ids: movedIds,
          relinked,
          // Omits pages that the caller cannot see.
          not_relinked: await shownOnly(app.database.read, workspaceId, notRelinked),
        },
        { etag: source.version },
      );
    },
  }),
];

async function shownOnly<T extends { readonly document_id: string }>(
  db: Reader,
  workspaceId: string,
  places: readonly T[],
): Promise<readonly T[]> {
  if (db.audience === undefined || places.length === 0) return places;
  const shown = await listVersions(db, workspaceId, [...new Set(places.map((place) => place.document_id))]);
  return places.filter((place) => shown.has(place.document_id));
}
