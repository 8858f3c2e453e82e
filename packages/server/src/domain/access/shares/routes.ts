import { type TObject, type TSchema, Type } from "typebox";
import type { Reader } from "../../../db/database.ts";
import { invalidRequest, notFound } from "../../../errors.ts";
import { deleted, ok } from "../../../http/answer.ts";
import { NO_STORE } from "../../../http/base-url.ts";
import { post, type Route, read, remove } from "../../../http/route.ts";
import { deletedSchema } from "../../../http/schemas.ts";
import { hashPassword } from "../../identity/accounts/password.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { getFolder } from "../../library/folders/queries.ts";
import { FolderParams } from "../../library/folders/schema.ts";
import { lockTarget, shareTarget } from "./ensure-share.ts";
import { listPage } from "./list-page.ts";
import { deleteShare, findShare } from "./queries.ts";
import {
  exampleListed,
  exampleShare,
  ListedPublicShare,
  PublicShare,
  representShare,
  ShareQuery,
  ShareWish,
} from "./schema.ts";
import type { ShareTarget } from "./target.ts";

const tag = "Public sharing";
const writing = ["documents:write", "knowledge-bases:write"] as const;

interface Sharable {
  readonly kind: ShareTarget["kind"];
  readonly path: string;
  /** Part of the operations' names. */
  readonly operation: string;
  readonly shows: string;
  readonly params: TObject;
  readonly id: TSchema;
  readonly exampleId: string | number;
  readonly find: (db: Reader, workspaceId: string, id: never) => Promise<unknown>;
}

const sharables: readonly Sharable[] = [
  {
    kind: "document",
    path: "/documents/{id}/public-share",
    operation: "public_share",
    shows: "The page at the link shows the document as it is, to anyone",
    params: Type.Object({ id: Type.String() }),
    id: Type.String(),
    exampleId: exampleListed.document_id,
    find: getDocument,
  },
  {
    kind: "folder",
    path: "/folders/{id}/public-share",
    operation: "folder_public_share",
    shows: "The link opens a small site of the folder and all below it, with its tree and a search of its own",
    params: FolderParams,
    id: Type.Integer(),
    exampleId: 12,
    find: getFolder,
  },
];

/** The target that a path's id names. */
const targetFor = ({ kind }: Sharable, params: unknown) =>
  ({ kind, id: (params as { readonly id: unknown }).id }) as ShareTarget;

function routesOf(sharable: Sharable): Route[] {
  const { kind, path, operation, params } = sharable;
  const example = { ...exampleShare, kind };
  const success = { status: 200, description: "The link.", data: PublicShare, example };
  return [
    post({
      operation: `ensure_${operation}`,
      path,
      tag,
      summary: `Make sure that the ${kind} has a public, read-only link.`,
      description: `Calling it again answers the same link, changed as far as \`expires_at\` or \`password\` is given. ${sharable.shows}; it dies with the ${kind}, when it expires, or when the share is withdrawn.`,
      scopes: writing,
      access: { action: "write", subject: kind },
      params,
      body: ShareWish,
      bodyExample: {},
      bodyOptional: true,
      success,
      prepare: async ({ body }) => {
        const { expires_at, password } = body ?? {};
        if (typeof expires_at === "number" && expires_at <= Date.now())
          throw invalidRequest("body.expires_at", "must be in the future");
        return {
          ...(expires_at !== undefined && { expires_at }),
          ...(password !== undefined && { password_hash: password === null ? null : await hashPassword(password) }),
        };
      },
      handler: async ({ app, caller, tx, params, prepared, request }) => {
        const { workspaceId, userId } = caller;
        const target = targetFor(sharable, params);
        const share = await shareTarget(app, tx, { workspaceId, userId, target }, prepared);
        return ok(representShare(share, app.secret, request.baseUrl), { headers: NO_STORE });
      },
    }),
    read({
      operation: `get_${operation}`,
      path,
      tag,
      summary: `The ${kind}'s public link; 404 if it has none.`,
      scopes: ["documents:read"],
      access: { action: "read", subject: kind },
      params,
      success,
      handler: async ({ app, caller, db, params, request }) => {
        const target = targetFor(sharable, params);
        await sharable.find(db, caller.workspaceId, target.id as never);
        const share = await findShare(db, caller.workspaceId, target);
        if (!share) throw notFound("public_share", target.id);
        return ok(representShare(share, app.secret, request.baseUrl), { headers: NO_STORE });
      },
    }),
    remove({
      operation: `withdraw_${operation}`,
      path,
      tag,
      summary: "Withdraw the public link: it opens nothing any more, and a later one is another.",
      scopes: writing,
      access: { action: "write", subject: kind },
      params,
      success: {
        status: 200,
        description: "It is gone.",
        data: deletedSchema(sharable.id),
        example: { id: sharable.exampleId, deleted: true },
      },
      handler: async ({ caller, tx, params }) => {
        const target = targetFor(sharable, params);
        await lockTarget(tx, caller.workspaceId, target);
        if (!(await deleteShare(tx, caller.workspaceId, target))) throw notFound("public_share", target.id);
        return deleted(target.id);
      },
    }),
  ];
}

export const shareRoutes: Route[] = [
  ...sharables.flatMap(routesOf),
  read({
    operation: "list_public_shares",
    path: "/public-shares",
    tag,
    summary: "All public links of the workspace, the newest first. For its owners.",
    description: "Owners of a knowledge base see those of theirs with `knowledge_base_id`.",
    scopes: ["documents:read", "knowledge-bases:read"],
    access: { action: "read", subject: "document" },
    query: ShareQuery,
    errors: ["not_found", "insufficient_role"],
    success: {
      status: 200,
      description: "A page of them.",
      data: ListedPublicShare,
      list: true,
      example: exampleListed,
    },
    handler: async ({ app, caller, db, query, request }) => ({
      ...(await listPage(app, db, caller, query, request.baseUrl)),
      headers: NO_STORE,
    }),
  }),
];
