import { type Client, type StreamEvent, streamEvents } from "@svc/sdk";
import type { Command } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { note, print } from "../output.ts";

interface Options extends ServerOptions {
  readonly kb?: string;
  readonly document?: string;
  readonly locale?: string;
  readonly since?: number;
  readonly count?: number;
}

async function run(options: Options): Promise<void> {
  const client = connect(options);
  const wanted = await filterOf(client, options);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new Stopped()));
  let left = options.count ?? Number.POSITIVE_INFINITY;
  try {
    for await (const event of eventsOf(client, options, stop.signal)) {
      if (!wanted(event)) continue;
      print(options, event, [shownEvent(event)]);
      if (--left === 0) return;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    process.exitCode = EXIT.interrupted;
  }
}

class Stopped extends Error {}

const eventsOf = (client: Client, options: Options, signal: AbortSignal) =>
  streamEvents(client, {
    signal,
    ...(options.since !== undefined && { lastEventId: options.since }),
    ...(options.locale !== undefined && { locale: options.locale }),
    onState: (state, reason) =>
      note(
        state === "open" ? "Watching; Ctrl-C ends it." : `The stream broke off (${messageOf(reason)}). Trying again …`,
      ),
  });

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : "the server ended it");

async function filterOf(client: Client, { kb, document }: Options): Promise<(event: StreamEvent) => boolean> {
  const kbId = kb === undefined ? undefined : (await findKnowledgeBase(client, kb)).id;
  const id = document === undefined ? undefined : await documentId(client, document);
  return (event) =>
    event.type === "sync.required" ||
    ((kbId === undefined || event.document?.knowledge_base_id === kbId) &&
      (id === undefined || event.document_id === id));
}

const verbs = {
  "document.created": "created",
  "document.metadata.updated": "changed its settings",
  "document.content.updated": "changed",
  "document.deleted": "deleted",
  "comment.created": "commented on",
  "comment.updated": "changed a comment on",
  "comment.resolved": "resolved a comment on",
  "comment.deleted": "deleted a comment on",
  "suggestion.created": "suggested a change of",
  "suggestion.decided": "decided a suggestion for",
  "notification.created": "notified you about",
} as const;

const shownEvent = (event: StreamEvent): string =>
  event.type === "sync.required"
    ? `(events before ${event.resume_from} are no longer kept: list what changed, for instance with svc ls --long)`
    : `${event.created_at}  ${event.event_id}  ${verbs[event.type] ?? event.type}  ${event.document_id ?? ""}  ${event.document?.title ?? ""}`.trimEnd();

export function define(command: Command): void {
  withServer(command)
    .option("--kb <kb>", "only this knowledge base")
    .option("--document <document>", "only this document")
    .option("--locale <tag>", "only documents in this language")
    .option("--since <event id>", "first the events after this one", wholeNumber(0))
    .option("--count <events>", "end after so many", wholeNumber(1))
    .addHelpText(
      "after",
      "\nWith --json each event is one line of JSON. A lost connection is opened again without a gap.",
    )
    .action(run);
}
