import { downloadAttachment } from "@svc/sdk";
import type { Command } from "commander";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, shownSize } from "../output.ts";
import { Progress } from "../progress.ts";
import { deliver, targetFile } from "../save-stream.ts";

interface Options extends ServerOptions {
  readonly force?: boolean;
}

async function run(attachment: string, given: string | undefined, options: Options): Promise<void> {
  if (given === "-" && options.json) throw usage("--json and a file on standard output do not go together.");
  const id = /att_[0-9A-Z]{26}/.exec(attachment)?.[0];
  if (!id) throw usage(`${attachment} is not the id of a file (att_…).`, "svc attachments <document>");
  const client = connect(options);
  const { data } = await client.get("/attachments/{id}/metadata", { path: { id } });
  const file = targetFile(given, data.file_name, options.force);
  const progress = new Progress(data.file_name, shownSize);
  const { stream } = await downloadAttachment(client, id, {
    maxBytes: data.size,
    onProgress: (bytes) => progress.show(bytes, data.size),
  });
  const size = await deliver(stream, file, progress);
  if (size === undefined) return;
  print(options, { ...data, file }, [`${file} (${shownSize(size)})`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument("<attachment>", "its id (att_…) or address")
    .argument("[file]", "to write, or the folder for it; - is standard output; without it, its own name")
    .option("--force", "replace the file when it is there")
    .action(run);
}
