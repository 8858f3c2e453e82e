import { Type } from "typebox";
import { integerId, named, object, oneOf } from "../../../http/schemas.ts";

export const childOrder = () =>
  oneOf(
    ["name", "manual"],
    "`name`: folders first, each by name or title. `manual`: the order in which people have placed the items.",
  );

const Sibling = object({
  type: oneOf(["document", "folder"]),
  id: Type.Union([Type.String({ minLength: 1, maxLength: 64 }), integerId()]),
});

const position = { first: Type.Literal(true), last: Type.Literal(true), before: Sibling, after: Sibling };

/** A place among the items of a parent. */
export const Place = named("Place", {
  ...Type.Object(
    {
      first: Type.Optional(position.first),
      last: Type.Optional(position.last),
      before: Type.Optional(Sibling),
      after: Type.Optional(Sibling),
    },
    { additionalProperties: false, minProperties: 1, maxProperties: 1 },
  ),
  description:
    "The place among the items of the same parent: first, last, or beside one of them. It makes the order of the parent `manual`, beginning with the order shown so far.",
});
