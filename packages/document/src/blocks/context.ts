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
  /** Code points of text allowed; only a text replacement, which can multiply text, looks at it. */
  readonly maxCharacters?: number;
  /** Finds a block in the body given; a batch hands in its index, otherwise the body is walked. */
  readonly locate?: (body: Body, id: string) => Path | undefined;
  /** Whether any block of the document has this id. To be given when the body is only a run of the document's blocks. */
  readonly isTaken?: IsTaken;
}

export function getBlock(body: Body, id: string, context: Pick<EditContext, "locate">): FoundBlock {
  const path = (context.locate ?? locate)(body, id);
  if (path === undefined) throw blockNotFound(id);
  return blockAt(body, path);
}

const blockNotFound = (id: string): DocumentError =>
  new DocumentError("block_not_found", `There is no block ${id} in the document.`, { block_id: id });

/** Tells the ids in use; the body is walked only when the first id is asked for. */
export function takenIds(body: Body, context: EditContext): IsTaken {
  if (context.isTaken) return context.isTaken;
  let ids: Set<string> | undefined;
  return (id) => {
    ids ??= blockIds(body.content);
    return ids.has(id);
  };
}

/** The same, but without the ids below a node that is about to be replaced. */
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
