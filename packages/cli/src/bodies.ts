import { type Client, isSuggested, notesOf, type Suggested, type Written } from "@svc/sdk";
import { counted } from "./output.ts";

/** A document's body as Markdown, and the version it is of. */
export interface Body {
  readonly content: string;
  readonly version: string;
}

/** With anchors, what is written back keeps the ids of its blocks. */
export async function readAnchored(client: Client, id: string): Promise<Body> {
  const query = { format: "markdown", annotate: "anchors" } as const;
  const { data } = await client.get("/documents/{id}/content", { path: { id }, query });
  return { content: data.content ?? "", version: data.version };
}

/** Whatever is there; it stays in the history. */
export const ANY_VERSION = "*";

/** For the query of a write that is to become a suggestion. */
export const SUGGEST = { mode: "suggest" as const };

export const writeMarkdown = async (
  client: Client,
  id: string,
  content: string,
  ifMatch: string,
  {
    dryRun = false,
    suggest = false,
  }: { readonly dryRun?: boolean | undefined; readonly suggest?: boolean | undefined } = {},
): Promise<Written | Suggested> => {
  const query = { ids: "match" as const, ...(dryRun && { dry_run: true }), ...(suggest && SUGGEST) };
  const body = { format: "markdown", content } as const;
  return (await client.put("/documents/{id}/content", { path: { id }, query, ifMatch, body })).data;
};

/** `3 blocks changed`, for people. */
export const shownChange = ({ changed_block_ids: ids }: Pick<Suggested, "changed_block_ids">): string =>
  ids.length === 0 ? "nothing changed" : `${counted(ids.length, "block")} changed`;

/** Describes the outcome of a write in one line; `verb` describes one that changed something. */
export const shownSave = (address: string, verb: string, saved: Written | Suggested): string =>
  isSuggested(saved)
    ? shownSuggestion(address, saved)
    : [`${address} ${verb}: ${shownChange(saved)}.`, ...notesOf(saved)].join(" ");

export function shownSuggestion(address: string, suggested: Suggested): string {
  const { suggestion_id: id } = suggested;
  const done =
    id === null
      ? `${address} would not change: this would be kept as a suggestion for people to decide, ${shownChange(suggested)}.`
      : `${address} has not changed: this is kept as suggestion ${id} for people to decide.`;
  return [done, ...notesOf(suggested)].join(" ");
}
