import type { Tx } from "../../../../db/database.ts";
import type { AuthorColumns } from "../../../../db/schema/tables/discussion.ts";
import type { DocumentRow } from "../../../../db/schema/tables/documents.ts";
import { newId } from "../../../../ids.ts";
import { insertSuggestion } from "../../../content/proposals/queries.ts";
import { insertComment } from "../../../discussion/comments/queries.ts";
import { titleKey } from "../../../library/documents/title-key.ts";
import { mappedBlockId } from "../mapped-ids.ts";
import type { PlannedDiscussion } from "../read-discussion.ts";
import type { Site } from "./building.ts";
import { clean, past } from "./from-archive.ts";

interface Discussed {
  readonly document: DocumentRow;
  /** The document's key in the archive. */
  readonly key: string;
  /** The document's version in the archive. */
  readonly archivedVersion: string | undefined;
}

const pastOrNull = (time: number | null): number | null => (time === null ? null : past(time));

/**
 * Restores comments and suggestions. They belong to the importing user and only name the archived author. Reactions are
 * not imported, because nobody here made them.
 */
export async function buildDiscussion(
  tx: Tx,
  input: Site,
  discussed: Discussed,
  { comments, suggestions }: PlannedDiscussion,
): Promise<void> {
  const { document, key, archivedVersion } = discussed;
  const owner = { workspace_id: document.workspace_id, document_id: document.id };
  const { userId } = input.actor;
  const author = (name: string, isAgent: boolean): AuthorColumns => ({
    author_type: "user",
    author_id: userId,
    author_name: clean(name),
    author_agent: isAgent ? 1 : 0,
    user_id: userId,
  });
  const ids = new Map(comments.map((comment) => [comment.id, newId("com")]));
  for (const line of comments) {
    const id = ids.get(line.id)!;
    const markdown = line.markdown === null ? null : clean(line.markdown);
    await insertComment(tx, {
      ...owner,
      ...author(line.author.name, line.author.agent),
      id,
      thread_id: ids.get(line.thread_id) ?? id,
      markdown,
      text_key: titleKey(markdown ?? ""),
      anchor_block_id: line.anchor && mappedBlockId(input.seed, key, line.anchor.block_id),
      anchor_quote: line.anchor?.quote == null ? null : clean(line.anchor.quote),
      anchor_start: line.anchor?.start ?? 0,
      anchor_before: clean(line.anchor?.before ?? ""),
      anchor_after: clean(line.anchor?.after ?? ""),
      revision: 1,
      created_at: past(line.created_at),
      updated_at: past(line.updated_at),
      resolved_at: pastOrNull(line.resolved_at),
      resolved_by: line.resolved_at === null ? null : userId,
      deleted_at: pastOrNull(line.deleted_at),
    });
  }
  for (const line of suggestions)
    await insertSuggestion(tx, {
      ...owner,
      ...author(line.author.name, line.author.agent),
      id: newId("sug"),
      // Block ids and versions are new; a base version other than the archived current one is kept as it was.
      base_version: line.base_version === archivedVersion ? document.version : clean(line.base_version),
      status: line.status,
      note: clean(line.note),
      changes: JSON.stringify(line.changes),
      revision: 1,
      created_at: past(line.created_at),
      updated_at: past(line.updated_at),
      decided_at: pastOrNull(line.decided_at),
      decided_by: line.decided_at === null ? null : userId,
      decision_reason: line.decision_reason && clean(line.decision_reason),
    });
}
