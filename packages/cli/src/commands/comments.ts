import { type CommentThread, listAll } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { shortId, wholeBlockId, wholeId } from "../address/whole.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { note, print, shownTime } from "../output.ts";
import { readInput, type TextOption } from "../read-input.ts";

interface ListOptions extends ServerOptions {
  readonly all?: boolean;
}

async function list(address: string, options: ListOptions): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const query = { state: options.all ? ("all" as const) : ("open" as const) };
  const threads = await Array.fromAsync(listAll(client, "/documents/{id}/comments", { path: { id }, query }));
  const lines = threads.length === 0 ? ["No open comments."] : threads.flatMap(shownThread);
  print(options, { document_id: id, threads }, lines);
}

const said = ({ author, body }: Pick<CommentThread, "author" | "body">): string =>
  `${author.name}: ${body?.markdown.replace(/\s+/g, " ") ?? "(deleted)"}`;

const shownThread = (thread: CommentThread): string[] => [
  `${shortId(thread.id)}  ${shownTime(thread.created_at)}${thread.resolved_at === null ? "" : "  resolved"}`,
  ...(thread.anchor?.quote ? [`  > ${thread.anchor.quote}${thread.anchor.state === "dangling" ? " (gone)" : ""}`] : []),
  `  ${said(thread)}`,
  ...thread.replies.map((reply) => `  ${shortId(reply.id)}  ${said(reply)}`),
];

interface AddOptions extends ServerOptions, TextOption {
  readonly block?: string;
  readonly quote?: string;
}

async function add(address: string, file: string | undefined, options: AddOptions): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const { block, quote } = options;
  const block_id = block && (await wholeBlockId(client, id, block));
  const anchor = block_id && { anchor: { block_id, ...(quote !== undefined && { quote }) } };
  const body = { body: await markdownOf(file, options), ...anchor };
  const { data } = await client.post("/documents/{id}/comments", { path: { id }, body });
  print(options, data, [`Said: ${shortId(data.id)}.`]);
}

const markdownOf = async (file: string | undefined, options: TextOption) => ({
  format: "markdown" as const,
  content: (await readInput(file, options)).trim(),
});

/** The server, and the comment that is named by its id or the end of it. */
async function found(given: string, options: ServerOptions) {
  const client = connect(options);
  return { client, id: await wholeId(client, "comment", given) };
}

async function reply(given: string, file: string | undefined, options: ServerOptions & TextOption): Promise<void> {
  const { client, id } = await found(given, options);
  const body = { body: await markdownOf(file, options) };
  const { data } = await client.post("/comments/{id}/replies", { path: { id }, body });
  print(options, data, [`Said: ${shortId(data.id)}.`]);
}

async function edit(given: string, file: string | undefined, options: ServerOptions & TextOption): Promise<void> {
  const { client, id } = await found(given, options);
  const { data: seen } = await client.get("/comments/{id}", { path: { id } });
  const body = { body: await markdownOf(file, options) };
  const { data } = await client.patch("/comments/{id}", { path: { id }, ifMatch: seen.version, body });
  print(options, data, ["The comment is changed."]);
}

interface ReactOptions extends ServerOptions {
  readonly remove?: boolean;
}

async function react(given: string, emoji: string, options: ReactOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const path = { id, emoji };
  const { data } = options.remove
    ? await client.delete("/comments/{id}/reactions/{emoji}", { path })
    : await client.put("/comments/{id}/reactions/{emoji}", { path });
  const all = data.reactions.map((one) => `${one.emoji} ${one.count}`).join("  ");
  print(options, data, [all || "No reactions."]);
}

const setState = (step: "resolve" | "reopen", done: string) => async (given: string, options: ServerOptions) => {
  const { client, id } = await found(given, options);
  const { data } = await client.post(`/comments/{id}/${step}`, { path: { id } });
  print(options, data, [done]);
};

async function remove(given: string, options: ServerOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data } = await client.delete("/comments/{id}", { path: { id } });
  print(options, data, ["It is deleted."]);
  if (!options.json) note(`     → svc comments restore ${shortId(data.id)} brings it back`);
}

async function restore(given: string, options: ServerOptions): Promise<void> {
  const { client, id } = await found(given, options);
  const { data } = await client.post("/comments/{id}/restore", { path: { id } });
  print(options, data, ["The comment is back."]);
}

export function define(comments: Command): void {
  const COMMENT = ["<comment id>", "as svc comments shows it"] as const;
  const FILE = ["[file]", "Markdown; - or nothing reads standard input"] as const;
  const TEXT = ["-t, --text <markdown>", "the text itself"] as const;
  withServer(comments.command("list", { isDefault: true }))
    .description("the open threads of a document (also plain svc comments <document>)")
    .argument(...DOCUMENT)
    .option("--all", "resolved ones too")
    .action(list);
  withServer(comments.command("add"))
    .description("open a thread on a document, or on a block or passage of it")
    .argument(...DOCUMENT)
    .argument(...FILE)
    .option(...TEXT)
    .option("--block <block id>", "the block it is about")
    .option("--quote <text>", "the passage of that block, word for word")
    .action(add);
  withServer(comments.command("reply"))
    .description("reply in a thread")
    .argument(...COMMENT)
    .argument(...FILE)
    .option(...TEXT)
    .action(reply);
  withServer(comments.command("edit"))
    .description("change the text of your own comment")
    .argument(...COMMENT)
    .argument(...FILE)
    .option(...TEXT)
    .action(edit);
  withServer(comments.command("react"))
    .description("react to a comment with an emoji")
    .argument(...COMMENT)
    .argument("<emoji>", "one emoji")
    .option("--remove", "take it back")
    .action(react);
  withServer(comments.command("resolve"))
    .description("mark a thread as resolved")
    .argument(...COMMENT)
    .action(setState("resolve", "The thread is resolved."));
  withServer(comments.command("reopen"))
    .description("open a resolved thread again")
    .argument(...COMMENT)
    .action(setState("reopen", "The thread is open again."));
  withServer(comments.command("rm"))
    .description("delete your own comment; owners may delete any")
    .argument(...COMMENT)
    .action(remove);
  withServer(comments.command("restore"))
    .description("bring back a comment that you deleted")
    .argument(...COMMENT)
    .action(restore);
}
