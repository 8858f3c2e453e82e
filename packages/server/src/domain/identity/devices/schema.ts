import { Type } from "typebox";
import { scopes } from "../../../http/callers/scopes.ts";
import { name, named, object, oneOf } from "../../../http/schemas.ts";

const access = ["read_write", "read_only"] as const;

export const NewDeviceCode = object({
  client_name: name("Shown to the person who confirms."),
  scopes: Type.Optional(
    Type.Union([Type.Enum([...access]), Type.Array(oneOf(scopes), { minItems: 1, maxItems: scopes.length })], {
      default: "read_write",
      description: "The requested scopes: all, the reading ones, or a list. The person may grant fewer.",
    }),
  ),
});

export const DeviceCode = named(
  "DeviceCode",
  object({
    device_code: Type.String({ description: "Secret of the client, for polling." }),
    user_code: Type.String({ description: "For typing, eight letters in two groups." }),
    verification_uri: Type.String({ description: "The page where the person types the code." }),
    verification_uri_complete: Type.String({ description: "The same with the code filled in." }),
    expires_in: Type.Integer({ description: "Seconds." }),
    interval: Type.Integer({ description: "Seconds between two polls, at least." }),
  }),
);

export const DevicePoll = object({ device_code: Type.String({ minLength: 1, maxLength: 200 }) });

export const DeviceToken = named(
  "DeviceToken",
  object({
    access_token: Type.String({ description: "Shown this once." }),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds." }),
    scope: Type.String({ description: "The scopes, separated by spaces." }),
    scopes: Type.Array(oneOf(scopes)),
    token_id: Type.String(),
    access: oneOf(access),
  }),
);
