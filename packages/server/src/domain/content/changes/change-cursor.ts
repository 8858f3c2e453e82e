import { apiError } from "../../../errors.ts";
import { decodeCursor, encodeCursor } from "../../../http/cursor.ts";
import type { ServerSecret } from "../../../http/server-secret.ts";

/**
 * A position in a document's history: after the write that created `revision`, or after the first `items` of its
 * changes.
 */
export interface Watermark {
  readonly revision: number;
  /** Prefix of the version at that revision: reveals a history that was replaced, for example by an older backup. */
  readonly version: string;
  /** Undefined after the whole write. */
  readonly items?: number | undefined;
}

const KIND = "changes";
const VERSION_LENGTH = "sha256:".length + 16;

export const shortVersion = (version: string): string => version.slice(0, VERSION_LENGTH);

export const encodeWatermark = (
  secret: ServerSecret,
  documentId: string,
  { revision, version, items }: Watermark,
): string =>
  encodeCursor(secret, [KIND, documentId, revision, shortVersion(version), ...(items === undefined ? [] : [items])]);

/** Responds 400 for a cursor that was altered, is of another kind or belongs to another document. */
export function decodeWatermark(secret: ServerSecret, documentId: string, cursor: string): Watermark {
  const position = decodeCursor(secret, cursor);
  if (!Array.isArray(position) || position[0] !== KIND || position[1] !== documentId) throw apiError("invalid_cursor");
  const [, , revision, version, items] = position;
  return { revision, version, items };
}
