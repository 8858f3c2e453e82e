import { Type } from "typebox";
import { integerId, named, nullable, object, oneOf } from "../../../http/schemas.ts";

/** The events that a webhook can receive. */
export const sharedEventTypes = [
  "document.created",
  "document.metadata.updated",
  "document.content.updated",
  "document.deleted",
  "comment.created",
  "comment.updated",
  "comment.resolved",
  "comment.deleted",
  "suggestion.created",
  "suggestion.decided",
] as const;

/** The shared events plus those sent only to one person. */
const eventTypes = [...sharedEventTypes, "notification.created"] as const;

export const Event = named(
  "Event",
  object({
    event_id: integerId("Rises by one within the workspace."),
    type: oneOf(eventTypes),
    workspace_id: Type.String(),
    document_id: nullable(Type.String({ description: "null only for a notification about no document." })),
    created_at: Type.String({ description: "ISO 8601, UTC." }),
    document: nullable(
      object(
        {
          title: Type.String(),
          knowledge_base_id: Type.Integer(),
          folder_id: nullable(Type.Integer()),
          document_type: oneOf(["document", "spreadsheet"]),
          version: Type.String(),
          updated_at: Type.Integer(),
          document_set_id: nullable(Type.String()),
          locale: nullable(Type.String()),
        },
        { description: "As it was right after the change; as it last was when deleted." },
      ),
    ),
    actor: object({
      user_id: Type.String(),
      token_id: nullable(Type.String()),
      client: nullable(Type.String()),
    }),
    comment: Type.Optional(
      object({ id: Type.String(), thread_id: Type.String() }, { description: "The subject of a `comment.…` event." }),
    ),
    suggestion: Type.Optional(
      object({ id: Type.String(), status: Type.String() }, { description: "The subject of a `suggestion.…` event." }),
    ),
    notification: Type.Optional(
      object({ id: Type.String(), reason: Type.String() }, { description: "The subject of `notification.created`." }),
    ),
  }),
);

export const exampleEvent = {
  event_id: 1043,
  type: "document.content.updated",
  workspace_id: "ws_01K9ZQ4T6N4Y3V7J8W2M5R1XCF",
  document_id: "doc_01K9ZQ4T6N4Y3V7J8W2M5R1XCH",
  created_at: "2026-11-15T08:00:00.000Z",
  document: {
    title: "Handbook",
    knowledge_base_id: 1,
    folder_id: null,
    document_type: "document",
    version: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    updated_at: 1794729600000,
    document_set_id: null,
    locale: null,
  },
  actor: { user_id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", token_id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCE", client: "svc-cli" },
};

const eventIdText = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

const filters = {
  document_set_id: Type.Optional(
    Type.String({ maxLength: 64, description: "Only events of the language versions in this document set." }),
  ),
  locale: Type.Optional(Type.String({ maxLength: 64, description: "Only events of documents in this language." })),
};

const history = Type.Optional(
  Type.String({
    maxLength: 64,
    description: "The `history` of `GET /changes` that your id belongs to: in another one the id is unknown.",
  }),
);

export const StreamQuery = object({
  last_event_id: eventIdText("Resumes after this event, like the header `Last-Event-ID`, which wins."),
  history,
  ...filters,
});

export const ListQuery = object({
  after: eventIdText(
    "Id of the last event you processed. Without it the list is empty, and `resume_from` is the newest position.",
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Events per answer." })),
  history,
  ...filters,
});

/** Members beside the list: the position to continue from, and whether events are missing. */
export const syncMembers = {
  resume_from: Type.Integer({ description: "Send this as `after` next time." }),
  sync_required: Type.Boolean({
    description: "Events after your id are no longer kept, or the id is not ours: list the documents, then go on.",
  }),
  oldest_available: nullable(integerId("The oldest event kept; set with `sync_required`.")),
  reason: nullable(oneOf(["cursor_expired", "cursor_unknown"])),
  history: Type.String({
    description: "The event history that the ids belong to. Restoring a backup begins a new one.",
  }),
};
