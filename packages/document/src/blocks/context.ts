import { DocumentError } from "../errors.ts";
import type { IsTaken } from "../schema/normalise.ts";
import type { DocumentType } from "../schema/validate.ts";
import type { Body, NewId } from "../types.ts";
import { blockAt, blockIds, type FoundBlock, locate, type Path } from "./find.ts";

/** The context of an edit, apart from the body. */
export interface EditContext {
  readonly newId: NewId;
  readonly documentType?: DocumentType;
  readonly maxDepth?: number;
  /** Max code points of text. Only text replacement checks it, because it can multiply text. */
  readonly maxCharacters?: number;
  /** Finds a block in the given body. A batch passes its index; without it the body is searched. */
  readonly locate?: (body: Body, id: string) => Path | undefined;
  /** Whether any block of the document has this id. Required if the body is only a part of the document. */
  readonly isTaken?: IsTaken;
}

export function getBlock(body: Body, id: string, context: Pick<EditContext, "locate">): FoundBlock {
  const path = (context.locate ?? locate)(body, id);
  if (path === undefined) throw blockNotFound(id);
  return blockAt(body, path);
}

const blockNotFound = (id: string): DocumentError =>
  new DocumentError("block_not_found", `There is no block ${id} in the document.`, { block_id: id });

/** Checks whether an id is in use; searches the body only on the first call. */
export function takenIds(body: Body, context: EditContext): IsTaken {
  if (context.isTaken) return context.isTaken;
  let ids: Set<string> | undefined;
  return (id) => {
    ids ??= blockIds(body.content);
    return ids.has(id);
  };
}

/** Does the same, except for the ids below a node that is about to be replaced. */
export function takenBeside(body: Body, found: FoundBlock, context: EditContext): IsTaken {
  const taken = takenIds(body, context);
  let freed: Set<string> | undefined;
  return (id) => {
    freed ??= blockIds(found.node.content ?? []);
    return !freed.has(id) && taken(id);
  };
}

export const badRequest = (path: string, message: string, known?: readonly string[]): DocumentError =>
  new DocumentError("invalid_request", `${path} ${message}.`, {
    issues: [{ path, message, ...(known && { known }) }],
    ...(known && { hint: "/api-docs/shapes.md describes positions and operations." }),
  });
