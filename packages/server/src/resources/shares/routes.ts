import { Type } from "typebox";
import type { ShareRow } from "../../db/schema/tables/documents.ts";
import { notFound } from "../../errors.ts";
import { deleted, ok } from "../../http/answer.ts";
import { NO_STORE } from "../../http/base-url.ts";
import { post, type Route, read, remove } from "../../http/route.ts";
import { deletedSchema, named, object, time } from "../../http/schemas.ts";
import type { ServerSecret } from "../../http/server-secret.ts";
import { getDocument, lockDocument } from "../documents/queries.ts";
import { deleteShare, findShare } from "./queries.ts";
import { shareDocument } from "./share-document.ts";
import { shownToken } from "./token.ts";

const tag = "Public sharing";
const path = "/documents/{id}/public-share";
const params = Type.Object({ id: Type.String() });

const PublicShare = named(
  "PublicShare",
  object({
    url: Type.String({ description: "Anyone who has it can read the document in a browser." }),
    token: Type.String(),
    created_at: time(),
    access: Type.Literal("read_only"),
    comments_enabled: Type.Literal(false),
  }),
);

const example = {
  url: "https://svc.example.com/s/aZ3dQmJ0y6nR8uYxT4wVb1LkPsHcGf2EoIiNtMzXq7A",
  token: "aZ3dQmJ0y6nR8uYxT4wVb1LkPsHcGf2EoIiNtMzXq7A",
  created_at: 1794700000000,
  access: "read_only",
  comments_enabled: false,
};

function shareOf(share: ShareRow, secret: ServerSecret, baseUrl: string) {
  const token = shownToken(secret, share);
  return {
    url: `${baseUrl}/s/${token}`,
    token,
    created_at: share.created_at,
    access: "read_only",
    comments_enabled: false,
  };
}

export const shareRoutes: Route[] = [
  post({
    operation: "ensure_public_share",
    path,
    tag,
    summary: "Make sure that the document has a public, read-only link.",
    description:
      "Calling it again answers the same link. The page at the link shows the document as it is, to anyone; it dies with the document or when the share is withdrawn.",
    scopes: ["documents:write", "knowledge-bases:write"],
    params,
    success: { status: 200, description: "The link.", data: PublicShare, example },
    handler: async ({ app, caller, tx, params, request }) => {
      const owner = { workspaceId: caller.workspaceId, documentId: params.id, userId: caller.userId };
      return ok(shareOf(await shareDocument(app, tx, owner), app.secret, request.baseUrl), { headers: NO_STORE });
    },
  }),
  read({
    operation: "get_public_share",
    path,
    tag,
    summary: "The document's public link; 404 if it has none.",
    scopes: ["documents:read"],
    params,
    success: { status: 200, description: "The link.", data: PublicShare, example },
    handler: async ({ app, caller, db, params, request }) => {
      await getDocument(db, caller.workspaceId, params.id);
      const share = await findShare(db, caller.workspaceId, params.id);
      if (!share) throw notFound("public_share", params.id);
      return ok(shareOf(share, app.secret, request.baseUrl), { headers: NO_STORE });
    },
  }),
  remove({
    operation: "withdraw_public_share",
    path,
    tag,
    summary: "Withdraw the public link: it opens nothing any more, and a later one is another.",
    scopes: ["documents:write", "knowledge-bases:write"],
    params,
    success: {
      status: 200,
      description: "It is gone.",
      data: deletedSchema(Type.String()),
      example: { id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ", deleted: true },
    },
    handler: async ({ caller, tx, params }) => {
      await lockDocument(tx, caller.workspaceId, params.id);
      if (!(await deleteShare(tx, caller.workspaceId, params.id))) throw notFound("public_share", params.id);
      return deleted(params.id);
    },
  }),
];
