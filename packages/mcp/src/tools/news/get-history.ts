import type { BlockDifference, Client } from "@svc/sdk";
import * as z from "zod";
import { cursor, documentId, limit } from "../../arguments.ts";
import { short } from "../../short.ts";
import { facts, lines, more, oneLine, plural, time } from "../../text.ts";
import { type Outcome, readingTool } from "../../tool.ts";

export const getHistory = readingTool({
  name: "get_history",
  title: "History of a document",
  set: "core",
  description:
    "Earlier states of a document, newest first. With seq: which blocks differ between that state and now, changed words as [-gone-]{+new+}; with text true its text. roll_back brings one back.",
  scopes: ["documents:read"],
  hidden: ["limit", "cursor", "to"],
  input: z.strictObject({
    document_id: documentId,
    seq: z.int().min(1).optional(),
    to: z.int().min(1).optional(),
    text: z.boolean().default(false),
    limit: limit(20),
    cursor,
  }),
  run: (client, { document_id: id, seq, to, text, ...page }) => {
    if (seq === undefined) return listStates(client, id, page);
    return text ? showState(client, id, seq) : compare(client, id, seq, to);
  },
});

async function listStates(
  client: Client,
  id: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Outcome> {
  const [{ data: document }, { data, page }] = await Promise.all([
    client.get("/documents/{id}", { path: { id } }),
    client.get("/documents/{id}/versions", { path: { id }, query }),
  ]);
  return {
    text: lines(
      `**${oneLine(document.title)}** is at version ${short(document.version)}.`,
      data.length === 0 ? "There is no earlier state." : "\nEarlier states:",
      ...data.map(
        (state) =>
          `- ${facts({ seq: state.seq, ended: time(state.created_at), by: state.creator.name, with: state.client?.name, through: state.reason, version: state.version })}`,
      ),
      more(page),
    ),
  };
}

async function compare(client: Client, id: string, seq: number, to: number | undefined): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/versions/{seq}/diff", {
    path: { id, seq },
    query: { to: to === undefined ? undefined : String(to) },
  });
  return {
    text: lines(
      `From state ${seq} to ${to ?? "now"}: ${plural(data.changes.length, "block")} differ.`,
      ...data.changes.map(
        (change) =>
          `- ${change.change_type} ${short(change.block_id)} (${facts({ from: change.old_position, to: change.new_position })}): ${shown(change)}`,
      ),
    ),
  };
}

/** The changed words of a block, or the start of its text. */
const shown = ({ words, excerpt }: BlockDifference): string =>
  oneLine(words?.map(({ kind, text }) => marked[kind](text)).join("") ?? excerpt);

const marked = {
  same: (text: string) => text,
  omitted: (text: string) => ` ${text} `,
  added: (text: string) => `{+${text}+}`,
  removed: (text: string) => `[-${text}-]`,
};

const MAX_CHARACTERS = 100_000;

async function showState(client: Client, id: string, seq: number): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/versions/{seq}", {
    path: { id, seq },
    query: { format: "markdown" },
  });
  const content = data.content ?? "";
  return {
    text: lines(
      facts({ document_id: id, seq, version: data.version }),
      "\n---\n",
      content.slice(0, MAX_CHARACTERS),
      content.length > MAX_CHARACTERS && `\n---\nCut after ${MAX_CHARACTERS} characters of ${content.length}.`,
    ),
  };
}
