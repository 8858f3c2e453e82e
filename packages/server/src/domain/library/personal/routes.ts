import { Type } from "typebox";
import { deleted, ok, wholeList } from "../../../http/answer.ts";
import type { Caller } from "../../../http/callers/caller.ts";
import { put, type Route, read, remove } from "../../../http/route.ts";
import { deletedSchema, integerId, named, nullable, object, oneOf, time } from "../../../http/schemas.ts";
import { getDocument, lockDocument } from "../documents/queries.ts";
import { DocumentParams, documentTypes, exampleDocument } from "../documents/schema.ts";
import { clearFavourite, forgetOldViews, listPersonal, setTime } from "./queries.ts";

const tag = "Identity";

const PersonalDocument = named(
  "PersonalDocument",
  object({
    document_id: Type.String(),
    title: Type.String(),
    document_type: oneOf(documentTypes),
    knowledge_base_id: integerId(),
    folder_id: nullable(integerId()),
    at: time(),
  }),
);

const example = {
  document_id: exampleDocument.id,
  title: "Getting started",
  document_type: "document",
  knowledge_base_id: 7,
  folder_id: null,
  at: 1794700000000,
};

const Marked = object({ document_id: Type.String(), at: time() });
const exampleMarked = { document_id: exampleDocument.id, at: 1794700000000 };

const query = object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) });
const keyOf = (caller: Caller) => ({ workspace_id: caller.workspaceId, user_id: caller.userId });

/** These changes are visible only to the person. */
const writing = { tag, scopes: ["documents:write"], params: DocumentParams } as const;
const reading = { tag, scopes: ["documents:read"], query } as const;

export const personalRoutes: Route[] = [
  read({
    ...reading,
    operation: "list_favourites",
    path: "/me/favourites",
    access: { action: "read", subject: "document" },
    summary: "The documents that you marked as favourites, the latest first.",
    success: { status: 200, description: "They.", data: PersonalDocument, list: true, example },
    handler: async ({ caller, db, query }) =>
      wholeList(await listPersonal(db, keyOf(caller), "favourite_at", query.limit ?? 100)),
  }),
  put({
    ...writing,
    operation: "add_favourite",
    path: "/me/favourites/{id}",
    access: { action: "personal", subject: "document" },
    summary: "Mark a document as one of your favourites.",
    success: { status: 200, description: "It is one.", data: Marked, example: exampleMarked },
    handler: async ({ caller, tx, params }) => {
      await lockDocument(tx, caller.workspaceId, params.id, "keep");
      const at = Date.now();
      await setTime(tx, keyOf(caller), params.id, "favourite_at", at);
      return ok({ document_id: params.id, at });
    },
  }),
  remove({
    ...writing,
    operation: "remove_favourite",
    path: "/me/favourites/{id}",
    access: { action: "personal", subject: "document" },
    summary: "Take a document off your favourites.",
    success: {
      status: 200,
      description: "It is none.",
      data: deletedSchema(Type.String()),
      example: { id: exampleDocument.id, deleted: true },
    },
    handler: async ({ caller, tx, params }) => {
      await getDocument(tx, caller.workspaceId, params.id);
      await clearFavourite(tx, keyOf(caller), params.id);
      return deleted(params.id);
    },
  }),
  read({
    ...reading,
    operation: "list_recent",
    path: "/me/recent",
    access: { action: "read", subject: "document" },
    summary: "The documents that you opened lately in the browser, the latest first.",
    success: { status: 200, description: "They.", data: PersonalDocument, list: true, example },
    handler: async ({ caller, db, query }) =>
      wholeList(await listPersonal(db, keyOf(caller), "viewed_at", query.limit ?? 20)),
  }),
  put({
    ...writing,
    operation: "record_view",
    path: "/me/recent/{id}",
    access: { action: "personal", subject: "document" },
    summary: "Note that you opened a document; the pages do so.",
    success: { status: 200, description: "It is noted.", data: Marked, example: exampleMarked },
    handler: async ({ caller, tx, params }) => {
      await lockDocument(tx, caller.workspaceId, params.id, "keep");
      const at = Date.now();
      await setTime(tx, keyOf(caller), params.id, "viewed_at", at);
      await forgetOldViews(tx, keyOf(caller));
      return ok({ document_id: params.id, at });
    },
  }),
];
