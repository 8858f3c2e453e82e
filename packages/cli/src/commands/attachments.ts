import { listAll } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { note, print, printText, shownSize, table } from "../output.ts";

async function list(address: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const all = await Array.fromAsync(listAll(client, "/documents/{id}/attachments", { path: { id } }));
  print(
    options,
    { document_id: id, attachments: all },
    table(
      ["ID", "NAME", "TYPE", "SIZE", "SHOWN"],
      all.map((one) => [one.id, one.file_name, one.content_type, shownSize(one.size), `${one.reference_count} times`]),
    ),
  );
}

interface RemoveOptions extends ServerOptions {
  readonly force?: boolean;
}

async function remove(id: string, options: RemoveOptions): Promise<void> {
  const query = options.force ? { force: true } : {};
  const { data } = await connect(options).delete("/attachments/{id}", { path: { id }, query });
  print(options, data, ["The file is deleted."]);
  if (!options.json) note(`     → svc attachments restore ${id} brings it back`);
}

async function restore(id: string, options: ServerOptions): Promise<void> {
  const { data } = await connect(options).post("/attachments/{id}/restore", { path: { id } });
  print(options, data, [`${data.file_name} is back, shown ${data.reference_count} times.`]);
}

interface TextOptions extends ServerOptions {
  readonly page: number;
  readonly budget?: number;
}

async function text(id: string, { page, budget, ...options }: TextOptions): Promise<void> {
  const client = connect(options);
  const query = { page, ...(budget !== undefined && { max_tokens: budget }) };
  const { data } = await client.get("/attachments/{id}/text", { path: { id }, query });
  if (options.json) return print(options, data, []);
  if (data.text_status === "pending") note("Its text is still being read; ask again in a few seconds.");
  else if (data.text_status !== "ready") note(`It has no text that can be read: ${data.reason ?? "none"}.`);
  for (const one of data.pages)
    printText(`[page ${one.page} of ${data.page_count}${one.label === null ? "" : `, ${one.label}`}]\n${one.text}\n`);
  if (data.pages.some(({ is_cut }) => is_cut)) note("The page is longer than the budget: see --budget.");
  if (data.next_page !== null) note(`… goes on\n     → svc attachments text ${id} --page ${data.next_page}`);
  else if (data.truncated) note("The file has more text than is kept.");
}

export function define(attachments: Command): void {
  const ATTACHMENT = ["<attachment id>", "att_…"] as const;
  withServer(attachments.command("list", { isDefault: true }))
    .description("the files of a document (also plain svc attachments <document>)")
    .argument(...DOCUMENT)
    .action(list);
  withServer(attachments.command("text"))
    .description("the text of a PDF, an Office file or other text, page by page")
    .argument(...ATTACHMENT)
    .option("--page <page>", "the page to begin with", wholeNumber(1), 1)
    .option("--budget <tokens>", "as much as fits into so many tokens", wholeNumber(1, 200_000))
    .action(text);
  withServer(attachments.command("rm"))
    .description("delete a file")
    .argument(...ATTACHMENT)
    .option("--force", "also take it out of the text that shows it")
    .action(remove);
  withServer(attachments.command("restore"))
    .description("bring back a file that was deleted")
    .argument(...ATTACHMENT)
    .action(restore);
}
