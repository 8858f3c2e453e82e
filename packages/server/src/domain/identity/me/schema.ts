import { Type } from "typebox";
import { scopes } from "../../../http/callers/scopes.ts";
import { named, nullable, object, oneOf, time } from "../../../http/schemas.ts";

export const Me = named(
  "Me",
  object({
    user: object({ id: Type.String(), email: Type.String(), name: Type.String() }),
    scopes: Type.Array(oneOf(scopes)),
    token_id: Type.String(),
    may_write: Type.Boolean({ description: "Whether the person writes in any knowledge base that the token reaches." }),
    workspace: object({ id: Type.String(), name: Type.String(), role: oneOf(["owner", "editor", "viewer"]) }),
    token: object({
      name: Type.String(),
      access: oneOf(["read_only", "suggest", "read_write"]),
      created_at: time(),
      expires_at: nullable(time()),
      knowledge_base_ids: nullable(
        Type.Array(Type.Integer(), { description: "The only knowledge bases that the token reaches; null: all." }),
      ),
    }),
  }),
);

const usage = () => object({ used: Type.Integer(), limit: Type.Integer() });

export const Quota = named(
  "Quota",
  object({
    workspace_id: Type.String(),
    knowledge_bases: usage(),
    folders: usage(),
    documents: usage(),
    webhooks: usage(),
    document_characters: object({ limit: Type.Integer() }),
    attachments: object({
      used_bytes: Type.Integer(),
      limit_bytes: Type.Integer(),
      max_file_bytes: Type.Integer(),
    }),
    machine_translation: object({
      used_characters: Type.Integer(),
      limit_characters: Type.Integer(),
      resets_at: time(),
    }),
    questions: object(
      { used_tokens: Type.Integer(), limit_tokens: Type.Integer(), resets_at: time() },
      { description: "The tokens of the model that answers questions, if the server has one." },
    ),
  }),
);
