import { Type } from "typebox";
import { notFound } from "../../../errors.ts";
import { ok } from "../../../http/answer.ts";
import { pageOf } from "../../../http/page.ts";
import { type Route, read } from "../../../http/route.ts";
import { cursor, limit, named, nullable, object, oneOf, plainText } from "../../../http/schemas.ts";
import { getDocument } from "../../library/documents/queries.ts";
import { listPictures, pictureUrl } from "../pictures/queries.ts";
import { listPeople } from "./list-people.ts";
import { findMember } from "./queries.ts";

const Member = named(
  "Member",
  object({
    id: Type.String(),
    name: Type.String(),
    role: oneOf(["owner", "editor", "viewer"]),
    picture_url: nullable(Type.String({ description: "Where their picture is read; null: they have none." })),
  }),
);

const exampleMember = {
  id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD",
  name: "Ada",
  role: "editor",
  picture_url: null,
} as const;

const urlOf = (pictures: ReadonlyMap<string, string>, id: string): string | null => {
  const picture = pictures.get(id);
  return picture === undefined ? null : pictureUrl(id, picture);
};

export const memberRoutes: Route[] = [
  read({
    operation: "list_members",
    path: "/members",
    tag: "Access",
    summary: "The people of the workspace, to mention them or to give them a role.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "workspace" },
    query: object({
      q: Type.Optional(plainText(200, "Part of a name, whatever its case and accents.")),
      document_id: Type.Optional(Type.String({ maxLength: 64, description: "Only those who may see this document." })),
      limit: limit(),
      cursor: cursor(),
    }),
    errors: ["not_found"],
    success: {
      status: 200,
      description: "A page of them.",
      data: Member,
      list: true,
      example: exampleMember,
    },
    handler: async ({ app, caller, db, query }) => {
      const { q, document_id: documentId } = query;
      const { workspaceId } = caller;
      const document = documentId === undefined ? undefined : await getDocument(db, workspaceId, documentId);
      const knowledgeBaseId = document?.knowledge_base_id;
      const pictures = await listPictures(db, workspaceId);
      return pageOf(app.secret, ["members", q ?? "", documentId ?? ""], query, {
        fetch: ([id], size) =>
          listPeople(db, workspaceId, { q, knowledgeBaseId, after: id === undefined ? undefined : String(id) }, size),
        keyOf: ({ id }) => [id],
        represent: ({ id, name, role }) => ({ id, name, role, picture_url: urlOf(pictures, id) }),
      });
    },
  }),
  read({
    operation: "get_member",
    path: "/members/{id}",
    tag: "Access",
    summary: "Somebody of the workspace.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "workspace" },
    params: Type.Object({ id: Type.String() }),
    errors: ["not_found"],
    success: { status: 200, description: "They.", data: Member, example: exampleMember },
    handler: async ({ caller, db, params: { id } }) => {
      const member = await findMember(db, caller.workspaceId, id);
      if (!member) throw notFound("member", id);
      const { name, role } = member;
      return ok({ id, name, role, picture_url: urlOf(await listPictures(db, caller.workspaceId), id) });
    },
  }),
];
