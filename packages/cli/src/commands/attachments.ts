import { listAll } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { note, print, shownSize, table } from "../output.ts";

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

export function define(attachments: Command): void {
  const ATTACHMENT = ["<attachment id>", "att_…"] as const;
  withServer(attachments.command("list", { isDefault: true }))
    .description("the files of a document (also plain svc attachments <document>)")
    .argument(...DOCUMENT)
    .action(list);
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
