import { basename } from "node:path";
import { type Attachment, uploadAttachment } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { fileToSend } from "../file-to-send.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print, shownSize } from "../output.ts";
import { Progress } from "../progress.ts";

async function run(address: string, files: readonly string[], options: ServerOptions): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const contents = await Promise.all(files.map(fileToSend));
  const attachments: Attachment[] = [];
  for (const [index, content] of contents.entries()) {
    const fileName = basename(files[index] ?? "");
    const progress = new Progress(`Sending ${fileName}`, shownSize);
    const onProgress = (bytes: number) => progress.show(bytes, content.size);
    try {
      const source = { documentId: id, fileName, content };
      attachments.push(await uploadAttachment(client, source, { onProgress }));
    } finally {
      progress.end();
    }
  }
  print(options, { attachments }, attachments.map(shown));
}

/** The Markdown that shows it in the document. */
const shown = ({ id, markdown }: Attachment): string => `${id}  ${markdown}`;

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("<files...>", "to attach")
    .addHelpText("after", "\nPrints for each file its id and the Markdown that shows it, for svc append or svc edit.")
    .action(run);
}
