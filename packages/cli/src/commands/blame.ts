import { type BlockAuthor, listAll } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print, shownTime, table } from "../output.ts";

async function run(address: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const blocks = await Array.fromAsync(
    listAll(client, "/documents/{id}/blame", { path: { id }, query: { limit: 100 } }),
  );
  print(
    options,
    { document_id: id, blocks },
    table(
      ["BLOCK", "WHEN", "BY", "VERSION"],
      blocks.map((block) => [
        block.block_id,
        block.at === null ? "-" : shownTime(block.at),
        writerName(block.by),
        block.version ?? "-",
      ]),
    ),
  );
}

/** The person, the program that wrote for them, and who accepted it. */
export function writerName(by: BlockAuthor["by"]): string {
  if (!by) return "-";
  const program = by.client ? ` via ${by.client}` : "";
  const accepted = by.accepted_by ? `, accepted by ${by.accepted_by.name ?? by.accepted_by.user_id}` : "";
  return `${by.name ?? by.user_id}${program}${accepted}`;
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .action(run);
}
