import { isSuggested } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { shownSave } from "../bodies.ts";
import { connect } from "../connect.ts";
import { editDocument } from "../edit/edit-document.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print } from "../output.ts";

async function run(address: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const written = await editDocument(client, id);
  const isSame = !isSuggested(written) && written.changed_block_ids.length === 0;
  print(options, { document_id: id, ...written }, [shownSave(address, isSame ? "is as it was" : "is saved", written)]);
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .addHelpText(
      "after",
      `
The text has a comment with its id before each block: a block that keeps it keeps its id, links to it stay right, and a
new block needs none. When somebody else saves meanwhile, the two edits are merged; where they touch the same words, you
decide. Your text is kept in a file until the server has it.`,
    )
    .action(run);
}
