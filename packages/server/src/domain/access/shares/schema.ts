import { Type } from "typebox";
import type { ShareRow } from "../../../db/schema/tables/documents.ts";
import { cursor, integerId, limit, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";
import type { ListedShare } from "./queries.ts";
import { shownToken } from "./token.ts";

const fields = {
  url: Type.String({ description: "Anyone who has it can read in a browser what it shows." }),
  token: Type.String(),
  kind: oneOf(["document", "folder"], "A document, or a small site of a folder and all below it."),
  created_at: time(),
  expires_at: nullable(time()),
  has_password: Type.Boolean({ description: "Visitors are asked for a password." }),
  access: Type.Literal("read_only"),
  comments_enabled: Type.Literal(false),
};

export const PublicShare = named("PublicShare", object(fields));

/** The requested settings of a link; omitted ones stay unchanged. */
export const ShareWish = named(
  "PublicShareChange",
  object({
    expires_at: Type.Optional(
      nullable({ ...time(), description: "In the future, in milliseconds; null: it does not expire." }),
    ),
    password: Type.Optional(nullable(plainText(200, "For visitors; null: none is asked for.", 1))),
  }),
);

export const exampleShare = {
  url: "https://svc.example.com/s/aZ3dQmJ0y6nR8uYxT4wVb1LkPsHcGf2EoIiNtMzXq7A",
  token: "aZ3dQmJ0y6nR8uYxT4wVb1LkPsHcGf2EoIiNtMzXq7A",
  kind: "document",
  created_at: 1794700000000,
  expires_at: null,
  has_password: false,
  access: "read_only",
  comments_enabled: false,
};

export function representShare(share: ShareRow, secret: ServerSecret, baseUrl: string) {
  const token = shownToken(secret, share);
  return {
    url: `${baseUrl}/s/${token}`,
    token,
    kind: share.document_id === null ? ("folder" as const) : ("document" as const),
    created_at: share.created_at,
    expires_at: share.expires_at,
    has_password: share.password_hash !== null,
    access: "read_only",
    comments_enabled: false,
  };
}

export const ListedPublicShare = named(
  "ListedPublicShare",
  object({
    ...fields,
    document_id: nullable(Type.String()),
    folder_id: nullable(Type.Integer()),
    knowledge_base_id: Type.Integer(),
    title: Type.String({ description: "The document's title or the folder's name." }),
    created_by: object({ id: Type.String(), name: nullable(Type.String()) }),
  }),
);

export const exampleListed = {
  ...exampleShare,
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCJ",
  folder_id: null,
  knowledge_base_id: 7,
  title: "Onboarding",
  created_by: { id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", name: "Ada" },
};

export const representListed = (share: ListedShare, secret: ServerSecret, baseUrl: string) => ({
  ...representShare(share, secret, baseUrl),
  document_id: share.document_id,
  folder_id: share.folder_id === null ? null : Number(share.folder_id),
  knowledge_base_id: Number(share.knowledge_base_id),
  title: share.title ?? share.name ?? "",
  created_by: { id: share.created_by, name: share.creator },
});

export const ShareQuery = object({
  knowledge_base_id: Type.Optional(integerId("Only those of this knowledge base.")),
  limit: limit(),
  cursor: cursor(),
});
