import { type Client, notesOf, type Suggested } from "@svc/sdk";
import { facts, lines, oneLine, plural } from "./text.ts";
import type { Outcome } from "./tool.ts";

interface Written {
  readonly document_id: string;
  readonly base_version: string;
  readonly dry_run: boolean;
  readonly version: string;
  readonly changed_block_ids: readonly string[];
  readonly inserted_block_ids?: readonly string[];
  readonly warnings?: Suggested["warnings"];
  readonly merged?: boolean | undefined;
}

const IDS_SHOWN = 10;

/** A write that the token's rights, or the caller's wish, turned into a suggestion. */
export function suggestedOutcome(document_id: string, suggested: Suggested): Outcome {
  const { suggestion_id: id, changed_block_ids } = suggested;
  const done =
    id === null
      ? `Nothing is stored; this would become a suggestion of ${plural(changed_block_ids.length, "changed block")}.`
      : "Kept as a suggestion for people to decide; the document has not changed.";
  return {
    text: lines(done, ...notesOf(suggested), facts({ document_id, ...(id !== null && { suggestion_id: id }) })),
  };
}

/** For answers that say by title what was done. */
export const titleOf = async (client: Client, id: string): Promise<string> =>
  oneLine((await client.get("/documents/{id}", { path: { id } })).data.title);

/** Describes a body write, and the version for the next one. */
export function writtenOutcome(title: string, written: Written, formerProperties?: string): Outcome {
  const { document_id, version, changed_block_ids, inserted_block_ids = [], dry_run } = written;
  const isSame = version === written.base_version;
  const done = dry_run ? "Nothing is stored; this is what would happen" : isSame ? "Nothing changed" : "Done";
  const shown = inserted_block_ids.slice(0, IDS_SHOWN);
  return {
    text: lines(
      `${done}: ${plural(changed_block_ids.length, "block")} of **${title}** changed.`,
      ...notesOf(written),
      facts({ document_id, version, inserted_block_ids: shown }),
      formerProperties !== undefined && `Undo: roll_back with properties ${JSON.stringify(formerProperties)}`,
    ),
  };
}
