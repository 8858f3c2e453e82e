import { Type } from "typebox";
import { named, nullable, object, oneOf } from "../../../http/schemas.ts";
import { mailChoices, reasons } from "../../../notify/settings.ts";

const email = oneOf(mailChoices, "`at_once`: a mail for each. `daily`: all of a day in one mail.");
const page = Type.Boolean({ description: "Listed by `GET /notifications` and sent as `notification.created`." });
const webhook = Type.Boolean({ description: "Sent to `webhook_url`, where that is set." });

const Kind = object({ page, email, webhook });
const KindChange = object({
  page: Type.Optional(page),
  email: Type.Optional(email),
  webhook: Type.Optional(webhook),
});

const perReason = <T>(schema: T) => Object.fromEntries(reasons.map((reason) => [reason, schema]));

const webhookUrl = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description });

export const Settings = named(
  "NotificationSettings",
  object({
    kinds: object(perReason(Kind)),
    webhook_url: nullable(webhookUrl("Where your notifications are sent to as signed POST requests.")),
    webhook_secret: nullable(
      Type.String({
        description: "What the receiver checks signatures with (Standard Webhooks); null without an address.",
      }),
    ),
    mail: Type.Boolean({ description: "Whether this server sends mails at all." }),
  }),
);

export const SettingsChange = object({
  kinds: Type.Optional(object(perReason(Type.Optional(KindChange)))),
  webhook_url: Type.Optional(nullable(webhookUrl("Another address gets another secret; null ends it."))),
});

const everyWay = { page: true, email: "at_once", webhook: true };

export const exampleSettings = {
  kinds: { ...perReason(everyWay), watch: { ...everyWay, email: "daily" } },
  webhook_url: null,
  webhook_secret: null,
  mail: true,
};
