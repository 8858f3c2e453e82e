import { type TSchema, Type } from "typebox";
import { type ErrorCode, errorCodes, messageOf, statusOf, typeOf } from "../../error-codes.ts";
import type { Success } from "../../http/route.ts";
import { nullable, object } from "../../http/schemas.ts";
import type { Json } from "./components.ts";

const EXAMPLE_ID = "req_01K9ZQ4T6N4Y3V7J8W2M5R1XCG";

/** The envelope of a success, used by tests and by OpenAPI. */
export function envelopeOf({ data, list, more }: Success): TSchema | undefined {
  if (!data) return more && object({ ...more, request_id: Type.String() });
  const page = object({
    cursor: nullable(Type.String()),
    next_cursor: nullable(Type.String()),
    has_more: Type.Boolean(),
  });
  return object({
    data: list ? Type.Array(data) : data,
    ...(list && { page }),
    ...more,
    request_id: Type.String(),
  });
}

/** An example of a success in its envelope, for its media type; nothing if the route has no example. */
export const exampleOf = ({ example, list, moreExample }: Success): Json => {
  if (example === undefined)
    return moreExample === undefined ? {} : { example: { ...moreExample, request_id: EXAMPLE_ID } };
  const page = { cursor: null, next_cursor: null, has_more: false };
  const body = list ? { data: [example], page } : { data: example };
  return { example: { ...body, ...moreExample, request_id: EXAMPLE_ID } };
};

/** The envelope of every refusal. */
export const errorSchema = (): TSchema =>
  object({
    error: object({
      type: Type.Enum([
        "request_error",
        "authentication_error",
        "permission_error",
        "rate_limit_error",
        "server_error",
      ]),
      code: Type.Enum([...errorCodes] as [string, ...string[]]),
      message: Type.String(),
      details: Type.Object({ hint: Type.Optional(Type.String()) }, { additionalProperties: true }),
    }),
    error_code: Type.Optional(Type.Integer({ description: "Only from `/retrieval`, whose callers expect it." })),
    error_msg: Type.Optional(Type.String()),
    request_id: Type.String(),
  });

export const exampleError = (code: ErrorCode): Json => ({
  error: { type: typeOf(statusOf(code)), code, message: messageOf(code), details: {} },
  request_id: EXAMPLE_ID,
});
