import { listAll, type Suggestion } from "@svc/sdk";
import { type Command, Option } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { documentId } from "../address/resolve.ts";
import { shortId, wholeId } from "../address/whole.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { collect, type ServerOptions, withServer } from "../options.ts";
import { counted, note, print, shownTime, table } from "../output.ts";

const STATUSES = ["open", "accepted", "partly_accepted", "rejected", "withdrawn", "stale"] as const;

interface ListOptions extends ServerOptions {
  readonly status: Suggestion["status"];
  readonly kb?: string;
  readonly author?: string;
}

async function list(address: string | undefined, options: ListOptions): Promise<void> {
  const client = connect(options);
  const { status, kb, author } = options;
  if (address !== undefined && (kb !== undefined || author !== undefined))
    throw usage("--kb and --author go with the suggestions of all documents.", "svc suggestions");
  const query = { status };
  const narrowed = {
    ...(kb !== undefined && { knowledge_base_id: (await findKnowledgeBase(client, kb)).id }),
    ...(author !== undefined && { author }),
  };
  const all =
    address === undefined
      ? listAll(client, "/suggestions", { query: { ...query, ...narrowed } })
      : listAll(client, "/documents/{id}/suggestions", { path: { id: await documentId(client, address) }, query });
  const suggestions = await Array.fromAsync(all);
  print(
    options,
    { suggestions },
    table(
      ["ID", "DOCUMENT", "BY", "SINCE", "CHANGES", "NOTE"],
      suggestions.map((one) => [
        ...[shortId(one.id), shortId(one.document_id), one.author.name, shownTime(one.created_at)],
        ...[one.changes.length, one.note.replace(/\s+/g, " ") || "-"],
      ]),
    ),
  );
  if (!options.json && suggestions[0])
    note(`     → svc suggestions show ${shortId(suggestions[0].id)} shows what it changes`);
}

/** The server, and the suggestion that is named by its id or the end of it. */
async function found(given: string, options: ServerOptions) {
  const client = connect(options);
  return { client, id: await wholeId(client, "suggestion", given) };
}

async function show(given: string, options: ServerOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data } = await client.get("/suggestions/{id}", { path: { id } });
  print(options, data, shownSuggestion(data));
}

const marked = (mark: string, text: string | undefined): string[] =>
  (text ?? "").split("\n").flatMap((line) => (text === undefined ? [] : [`${mark}${line}`]));

const shownSuggestion = (one: Suggestion): string[] => [
  `${shortId(one.id)}  ${one.status}  by ${one.author.name}  ${shortId(one.document_id)}`,
  ...(one.note ? [one.note] : []),
  ...one.changes.flatMap(({ id, change_type, state, before, after }) => [
    `@@ ${id} ${change_type}, ${state} @@`,
    ...marked("-", change_type === "moved" ? undefined : before?.markdown),
    ...marked("+", after?.markdown),
  ]),
];

interface DecideOptions extends ServerOptions {
  readonly text?: string;
  readonly change?: string[];
  readonly reason?: string;
}

async function accept(given: string, options: DecideOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data: seen } = await client.get("/suggestions/{id}", { path: { id } });
  const { change } = options;
  const [change_id] = change ?? [];
  if (options.text !== undefined && (change_id === undefined || change?.length !== 1))
    throw usage("--text words one change: name it with --change.", `svc suggestions show ${shortId(id)}`);
  const body = {
    ...(change && { change_ids: change }),
    ...(options.text !== undefined && change_id !== undefined && { edits: [{ change_id, markdown: options.text }] }),
  };
  const { data } = await client.post("/suggestions/{id}/accept", { path: { id }, ifMatch: seen.version, body });
  const left = data.changes.filter(({ state }) => state === "conflict").length;
  const rest = left === 0 ? "" : `; ${counted(left, "change")} in conflict, still to decide`;
  print(options, data, [`The suggestion is ${data.status.replace("_", " ")}${rest}.`]);
}

async function reject(given: string, options: DecideOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data: seen } = await client.get("/suggestions/{id}", { path: { id } });
  const { change, reason } = options;
  const body = { ...(change && { change_ids: change }), ...(reason !== undefined && { reason }) };
  const { data } = await client.post("/suggestions/{id}/reject", { path: { id }, ifMatch: seen.version, body });
  print(options, data, [`The suggestion is ${data.status.replace("_", " ")}.`]);
  if (!options.json) note(`     → svc suggestions reopen ${shortId(id)} undoes this`);
}

async function withdraw(given: string, options: ServerOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data } = await client.post("/suggestions/{id}/withdraw", { path: { id } });
  print(options, data, ["The suggestion is withdrawn."]);
  if (!options.json) note(`     → svc suggestions reopen ${shortId(id)} undoes this`);
}

async function reopen(given: string, options: ServerOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data: seen } = await client.get("/suggestions/{id}", { path: { id } });
  const { data } = await client.post("/suggestions/{id}/reopen", { path: { id }, ifMatch: seen.version });
  print(options, data, ["The suggestion is open again."]);
}

export function define(suggestions: Command): void {
  const SUGGESTION = ["<suggestion id>", "as svc suggestions shows it"] as const;
  const CHANGE = ["--change <change id>", "only this change; may be given several times", collect] as const;
  withServer(suggestions.command("list", { isDefault: true }))
    .description("what waits for a decision, of one document or of all (also plain svc suggestions)")
    .argument("[document]", "path or id of a document")
    .addOption(new Option("--status <status>", "in this state").choices(STATUSES).default("open"))
    .option("--kb <kb>", "only in this knowledge base")
    .option("--author <id>", "only of this user or token")
    .action(list);
  withServer(suggestions.command("show"))
    .description("what a suggestion changes")
    .argument(...SUGGESTION)
    .action(show);
  withServer(suggestions.command("accept"))
    .description("make it part of the document")
    .argument(...SUGGESTION)
    .option(...CHANGE)
    .option("-t, --text <markdown>", "your own wording for the one change, in conflict or not")
    .action(accept);
  withServer(suggestions.command("reject"))
    .description("turn it down")
    .argument(...SUGGESTION)
    .option(...CHANGE)
    .option("--reason <text>", "why")
    .action(reject);
  withServer(suggestions.command("withdraw"))
    .description("take your own back")
    .argument(...SUGGESTION)
    .action(withdraw);
  withServer(suggestions.command("reopen"))
    .description("take a rejection back, or the withdrawal of your own")
    .argument(...SUGGESTION)
    .action(reopen);
}
