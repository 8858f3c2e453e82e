import type { Node } from "@svc/document/types";
import type { Reader } from "../../../db/database.ts";
import { findMediaTypes } from "./queries.ts";
import { referencesOf } from "./references.ts";

/** Attachments that these blocks name as pictures and that are sound or films. */
export async function readMedia(
  db: Reader,
  workspaceId: string,
  blocks: readonly Node[],
): Promise<Map<string, "audio" | "video">> {
  const ids = new Set(
    referencesOf(blocks).flatMap(({ type, attachmentId }) => (type === "attachment" ? [] : attachmentId)),
  );
  const rows = await findMediaTypes(db, workspaceId, [...ids]);
  return new Map(rows.map(({ id, content_type }) => [id, content_type.startsWith("audio/") ? "audio" : "video"]));
}
