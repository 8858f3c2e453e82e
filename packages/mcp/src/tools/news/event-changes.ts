import type { Client, Event } from "@svc/sdk";
import { short } from "../../short.ts";
import { facts, lines, oneLine, plural } from "../../text.ts";
import type { Outcome } from "../../tool.ts";

/** Reads the events after a position in the log, or the changes of one document's blocks. */
export const eventChanges = (
  client: Client,
  documentId: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<Outcome> =>
  documentId === undefined ? documentChanges(client, after, limit) : blockChanges(client, documentId, after);

const keep = (after: string, isMore: boolean): string =>
  `\n${isMore ? "There is more: call again now" : "Keep this for the next time: call again"} with after: ${after}`;

async function documentChanges(client: Client, after: string | undefined, limit: number): Promise<Outcome> {
  const { data: all, page, resume_from, sync_required } = await client.get("/changes", { query: { after, limit } });
  const data = all.flatMap(({ document, document_id, ...event }) =>
    document === null || document_id === null ? [] : { ...event, document, document_id },
  );
  const next = String(resume_from);
  return {
    text: lines(
      after === undefined
        ? "This is the position of now."
        : plural(data.length, "change") + (data.length > 0 ? ":" : "."),
      sync_required &&
        "Changes are missing before these: your position is no longer kept. List with browse and recent true.",
      ...data.map(eventLine),
      keep(next, page.has_more),
    ),
  };
}

/** An event about a document; notifications about none are left out. */
type DocumentEvent = Omit<Event, "document" | "document_id"> & {
  readonly document: NonNullable<Event["document"]>;
  readonly document_id: string;
};

const eventLine = ({ type, document_id, created_at, document, actor }: DocumentEvent): string =>
  `- ${type} **${oneLine(document.title)}** (${facts({ document_id, at: created_at, version: document.version, by: actor.client ?? actor.user_id })})`;

async function blockChanges(client: Client, id: string, after: string | undefined): Promise<Outcome> {
  const { data } = await client.get("/documents/{id}/changes", { path: { id }, query: { after } });
  const { changes, cursor, complete, sync_required, source_version: version } = data;
  return {
    text: lines(
      facts({ document_id: id, version, freshness: data.freshness }),
      after === undefined && "This is the position of now.",
      sync_required && "The changes since your position are no longer kept: read the document again.",
      after !== undefined && !sync_required && plural(changes.length, "change") + (changes.length > 0 ? ":" : "."),
      ...changes.map(
        ({ change_type, block_id, excerpt }) => `- ${change_type} ${short(block_id)}: ${oneLine(excerpt)}`,
      ),
      keep(cursor, !complete),
    ),
  };
}
