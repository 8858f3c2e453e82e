import { Type } from "typebox";
import { cursor, integerId, limit, named, nullable, object, oneOf, plainText, time } from "../../../http/schemas.ts";
import { sharedEventTypes } from "../events/schema.ts";
import { webhookFormats } from "./formats/format-message.ts";

/** The message type that is not an event. */
export const SYNC_REQUIRED = "sync.required";
export const TEST = "webhook.test";

const url = () =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      "http or https, without credentials and fragment; port 80, 443 or from 1024. Its host must have public addresses only, unless the operator allows others.",
  });
const description = () => plainText(500, "For people.");
const wantedTypes = () =>
  Type.Array(oneOf(sharedEventTypes), { minItems: 1, uniqueItems: true, description: "The types of events to send." });
const knowledgeBaseId = () => nullable(integerId("Only events of documents in this knowledge base; null for all."));

const format = () =>
  oneOf(
    webhookFormats,
    "`standard` (default): `{type, timestamp, data}`. The others are messages of these chat programs: a sentence with the page's title, which can neither mention anybody nor make links, and a link to the page.",
  );

const failure = (codes: string) =>
  object({ code: Type.String({ description: codes }), message: Type.String() }, { description: "What went wrong." });

const fields = {
  id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  event_types: Type.Array(oneOf(sharedEventTypes)),
  knowledge_base_id: nullable(Type.Integer()),
  enabled: Type.Boolean(),
  format: format(),
  status: oneOf(
    ["active", "failing", "paused", "disabled"],
    "`failing`: the last attempts failed, and the receiver is tried now and then. `paused`: by a person. `disabled`: by the server, see `disabled_reason`.",
  ),
  disabled_reason: nullable(
    object({
      code: oneOf(["failing", "gone"], "`failing`: for too long. `gone`: the receiver answered 410."),
      message: Type.String(),
      at: time(),
    }),
  ),
  failing_since: nullable(time()),
  next_attempt_at: nullable(time()),
  last_event_id: Type.Integer({ description: "Events up to this id have been taken up." }),
  previous_secret_expires_at: nullable(time()),
  version: Type.String({ description: "The ETag." }),
  created_by: Type.String(),
  created_at: time(),
  updated_at: time(),
};

export const Webhook = named("Webhook", object(fields));

const secret = Type.String({
  description: "`whsec_` and the key in base64. It is shown here and never again.",
});

export const WebhookWithSecret = named("WebhookWithSecret", object({ ...fields, secret }));

export const NewWebhook = object({
  url: url(),
  description: Type.Optional(description()),
  event_types: Type.Optional(wantedTypes()),
  knowledge_base_id: Type.Optional(knowledgeBaseId()),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  format: Type.Optional(format()),
});

export const WebhookChange = object(
  {
    url: Type.Optional(url()),
    description: Type.Optional(description()),
    event_types: Type.Optional(wantedTypes()),
    knowledge_base_id: Type.Optional(knowledgeBaseId()),
    format: Type.Optional(format()),
    enabled: Type.Optional(
      Type.Boolean({
        description: "`true` also takes up again what the server disabled; it goes on where it stopped.",
      }),
    ),
  },
  { minProperties: 1 },
);

export const Rotation = object({
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      default: 86_400,
      description: "How long the secret before signs too.",
    }),
  ),
});

const deliveryFields = {
  id: Type.String(),
  webhook_id: Type.String(),
  kind: oneOf(["event", "sync", "test", "redelivery"]),
  message_id: Type.String({ description: "Sent as `webhook-id`: the same whenever the message is sent again." }),
  event_id: nullable(Type.Integer()),
  event_type: oneOf([...sharedEventTypes, SYNC_REQUIRED, TEST]),
  redelivery_of: nullable(Type.String()),
  status: oneOf(["pending", "succeeded", "failed"]),
  attempts: Type.Integer(),
  response_status: nullable(Type.Integer()),
  response_body: nullable(Type.String({ description: "The first kilobyte of the last answer." })),
  error: nullable(
    failure(
      "`url_not_allowed`, `name_not_found`, `address_not_allowed`, `connection_failed`, `tls_failed`, `timeout`, `redirect`, `refused`, `gone`, or `overrun`: too many others were waiting.",
    ),
  ),
  duration_ms: nullable(Type.Integer({ description: "The duration of the last attempt." })),
  created_at: time(),
  last_attempt_at: nullable(time()),
  next_attempt_at: nullable(time()),
  finished_at: nullable(time()),
};

export const Delivery = named("WebhookDelivery", object(deliveryFields));

export const DeliveryWithPayload = named(
  "WebhookDeliveryWithPayload",
  object({
    ...deliveryFields,
    payload: Type.Object(
      { type: Type.String(), timestamp: Type.String(), data: Type.Object({}, { additionalProperties: true }) },
      {
        additionalProperties: false,
        description: "The body as it is sent; with another format than `standard`, what it is made from.",
      },
    ),
  }),
);

export const WebhookParams = Type.Object({ id: Type.String() });
export const DeliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() });
export const PageQuery = object({ limit: limit(), cursor: cursor() });
export const DeliveryQuery = object({
  status: Type.Optional(oneOf(["pending", "succeeded", "failed"])),
  limit: limit(),
  cursor: cursor(),
});
