import { type TProperties, type TSchema, Type } from "typebox";

/** Marks a schema as one of OpenAPI's named components. */
export const named = <T extends TSchema>(name: string, schema: T): T => ({ ...schema, "x-component": name });

/** An object without other fields. */
export const object = <T extends TProperties>(
  properties: T,
  options: { description?: string; minProperties?: number } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Milliseconds: the last instant that `Date` can represent. */
const LAST_INSTANT = 8_640_000_000_000_000;

/** Milliseconds since 1970, UTC. */
export const time = () =>
  Type.Integer({ description: "Milliseconds since 1970-01-01 UTC.", minimum: 0, maximum: LAST_INSTANT });

/** Ids that the database assigns. */
export const integerId = (description?: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...(description && { description }) });

/** A ULID with its prefix, as in paths: any other text is simply not found. */
export const idText = (prefix: string) => Type.String({ maxLength: 64, description: `${prefix}_<ULID>` });

/** The form in which agents and the `svc` command show an id. */
export const idEnds = () =>
  Type.String({
    pattern: "^[0-9A-HJKMNP-TV-Z]{8}$",
    description: "The last 8 characters of the id, as agents see them.",
  });

export const ulidOf = (prefix: string) =>
  Type.String({ pattern: `^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`, description: `${prefix}_<ULID>` });

/** Control characters, line separators, and halves of surrogate pairs, which no store accepts. */
const CONTROL = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff";

/** Names and titles: 1 to 500 characters after trimming, no control characters. Store them trimmed. */
export const name = (description?: string) =>
  Type.String({
    pattern: `^\\s*[^${CONTROL}\\s](?:[^${CONTROL}]{0,498}[^${CONTROL}\\s])?\\s*$`,
    "x-says": "must be 1 to 500 characters after trimming, without control characters",
    ...described({ minLength: 1 }, `${description ? `${description} ` : ""}${NAME_RULE}`),
  });

const NAME_RULE = "1 to 500 characters after trimming, without control characters.";

/**
 * Published instead of a pattern with surrogates: regular expressions that match UTF-16 units and those that match code
 * points read such a pattern differently, so a client might refuse valid text.
 */
const described = (limits: Readonly<Record<string, number>>, description: string | undefined) => ({
  "x-described": { type: "string", ...limits, ...(description && { description }) },
  ...(description && { description }),
});

/** Text that both databases can store unchanged. */
export const plainText = (maxLength: number, description?: string, minLength?: number) => {
  const limits = { ...(minLength !== undefined && { minLength }), maxLength };
  return Type.String({
    ...limits,
    pattern: "^[^\\u0000\\ud800-\\udfff]*$",
    "x-says": "must not contain NUL or half of a surrogate pair",
    ...described(limits, description),
  });
};

/** Text that is not blank: white space alone counts as empty. */
export const writtenText = (maxLength: number) => ({
  ...plainText(maxLength, "Not white space alone.", 1),
  pattern: "^(?=\\s*\\S)[^\\u0000\\ud800-\\udfff]*$",
  "x-says": "must have more than white space, and neither NUL nor half of a surrogate pair",
});

/** An id in a body: an unknown one is not found, but an empty one is a mistake. */
export const idInBody = () => plainText(64, undefined, 1);

export const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Enum([...values] as [T, ...T[]], description ? { description } : {});

/** A switch in the query. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

export const limit = (fallback = 25) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: fallback, description: "Items per page." }));

export const cursor = () => Type.Optional(Type.String({ description: "`next_cursor` of the page before." }));

/** The answer to a deletion. */
export const deletedSchema = (id: TSchema = Type.Integer()) => object({ id, deleted: Type.Literal(true) });
