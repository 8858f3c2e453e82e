import { defined } from "../defined.ts";
import { isRecord } from "../guards.ts";
import { plainText } from "../read/text.ts";
import { blockId } from "../schema/node.ts";
import type { Body } from "../types.ts";
import { badRequest, type EditContext, getBlock } from "./context.ts";
import { nodeAt, type Path } from "./find.ts";
import { matchHeading } from "./match-heading.ts";

/** A position as the API defines it: an object with exactly one of six fields. */
export type Position =
  | { readonly document_start: true }
  | { readonly document_end: true }
  | { readonly before_block_id: string }
  | { readonly after_block_id: string }
  /** As the last child of that container. */
  | { readonly parent_block_id: string }
  /** Right after the top-level heading with this text. */
  | { readonly after_heading: string };

/** A place between siblings: the container's path and the index of what will stand there. */
export interface Place {
  readonly parent: Path;
  readonly index: number;
}

const positionFields: ReadonlySet<string> = new Set([
  "document_start",
  "document_end",
  "before_block_id",
  "after_block_id",
  "parent_block_id",
  "after_heading",
]);

export function parsePosition(input: unknown, path = "position"): Position {
  if (!isRecord(input)) throw badRequest(path, "is not an object");
  const fields = Object.keys(input);
  const unknown = fields.find((field) => !positionFields.has(field));
  if (unknown !== undefined)
    throw badRequest(`${path}.${unknown.slice(0, 64)}`, "is not a known field", [...positionFields]);
  if (fields.length !== 1) throw badRequest(path, "must have exactly one field");
  checkValue(input, defined(fields[0]), path);
  return input;
}

function checkValue(input: Record<string, unknown>, field: string, path: string): asserts input is Position {
  const value = input[field];
  if (field === "document_start" || field === "document_end") {
    if (value !== true) throw badRequest(`${path}.${field}`, "must be true");
  } else if (typeof value !== "string") throw badRequest(`${path}.${field}`, "must be a string");
  else if (field === "after_heading" && !/[^\s\u0085]/u.test(value))
    throw badRequest(`${path}.${field}`, "must have a visible character");
  else if (value === "") throw badRequest(`${path}.${field}`, "must not be empty");
}

export function resolvePosition(body: Body, position: Position, context: EditContext): Place {
  if ("document_start" in position) return { parent: [], index: 0 };
  if ("document_end" in position) return { parent: [], index: body.content.length };
  if ("before_block_id" in position) return beside(body, position.before_block_id, 0, context);
  if ("after_block_id" in position) return beside(body, position.after_block_id, 1, context);
  if ("parent_block_id" in position) {
    const { path } = getBlock(body, position.parent_block_id, context);
    return { parent: path, index: nodeAt(body, path).content?.length ?? 0 };
  }
  return { parent: [], index: matchHeading(body.content, position.after_heading) + 1 };
}

/** The heading that stands for a place. */
export interface TakenHeading {
  readonly block_id: string;
  readonly text: string;
}

/** The heading that `after_heading` means in this body; null for every other position. */
export function takenHeading(body: Body, position: Position | undefined): TakenHeading | null {
  if (position === undefined || !("after_heading" in position)) return null;
  const heading = defined(body.content[matchHeading(body.content, position.after_heading)]);
  return { block_id: blockId(heading) ?? "", text: plainText(heading) };
}

function beside(body: Body, id: string, offset: number, context: EditContext): Place {
  const { path } = getBlock(body, id, context);
  return { parent: path.slice(0, -1), index: defined(path.at(-1)) + offset };
}
