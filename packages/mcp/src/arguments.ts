import * as z from "zod";

/** Arguments that several tools take, with the same name and meaning everywhere. */

/** Models also send the address that a link or a resource has; the id in it is what is meant. */
const plainId = (text: string): string => text.replace(/^svc:\/\/\w+\//, "").replace(/#.*$/, "");

const id = (kind: string, prefix: string) =>
  z.string().min(1).max(200).transform(plainId).describe(`Id of ${kind}, such as ${prefix}_01K9ZQ….`);

/** Names are resolved before a tool's arguments are checked (names/): what arrives here is an id. */
export const documentId = z.string().min(1).max(200).transform(plainId);
export const blockId = z.string().min(1).max(200).transform(plainId);
/** A heading's text or a block id. */
export const section = z.string().min(1).max(2000);
/** The name of an attached file, or its id. */
export const file = z.string().min(1).max(1000);
export const place = z.string().min(1).max(1000);
export const conceptId = id("a concept", "concept");
export const unitId = id("a translation unit", "tu");
/** An id of a place is a number; a call may name the path instead, which the schema shows (schema-of.ts). */
export const PATH_TOO = "mayBePath";
const placeId = z
  .int()
  .min(1)
  .meta({ [PATH_TOO]: true });
export const knowledgeBaseId = placeId;
export const folderId = placeId;

export const limit = (fallback: number) => z.int().min(1).max(100).default(fallback);
export const cursor = z.string().min(1).max(4096).optional();

export const version = (of: string) => z.string().min(1).max(200).describe(of);
export const baseVersion = z.string().min(1).max(200);
export const dryRun = z.boolean().default(false);
export const suggest = z.boolean().default(false);
export const modeOf = (asSuggestion: boolean) => (asSuggestion ? { mode: "suggest" as const } : {});
export const name = (of: string) => z.string().min(1).max(500).describe(of);
export const locale = z.string().min(2).max(100).describe("A language tag such as en, es or zh-Hant.");

/** The longest text that one call may bring; larger bodies go through the HTTP API. */
export const markdown = (of: string) => z.string().max(2_000_000).describe(of);

/** Exactly one of these is given. */
export const exactlyOne =
  (...names: readonly string[]) =>
  (given: Record<string, unknown>): boolean =>
    names.filter((name) => given[name] !== undefined).length === 1;

/** Documents by their properties. */
export const propertyFilter = z
  .record(z.string().min(1).max(200), z.string().max(2000))
  .describe('Only documents with these properties (front matter), such as {"status": "done"}; of a list any member.');

/** The same as parameters of a query. */
export const propertyQuery = (wanted: Readonly<Record<string, string>> = {}): Record<`property.${string}`, string> =>
  Object.fromEntries(Object.entries(wanted).map(([name, value]) => [`property.${name}`, value]));
