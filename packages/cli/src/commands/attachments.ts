import { listAll } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print, shownSize, table } from "../output.ts";

async function run(address: string, options: ServerOptions): Promise<void> {
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

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .action(run);
}
