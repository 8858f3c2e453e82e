import { exportKnowledgeBase } from "@svc/sdk";
import type { Command } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { KNOWLEDGE_BASE, type ServerOptions, withServer } from "../options.ts";
import { print, shownSize } from "../output.ts";
import { Progress } from "../progress.ts";
import { deliver, targetFile } from "../save-stream.ts";

interface Options extends ServerOptions {
  readonly force?: boolean;
}

async function run(kb: string, given: string | undefined, options: Options): Promise<void> {
  if (given === "-" && options.json) throw usage("--json and an archive on standard output do not go together.");
  const client = connect(options);
  const { id, name } = await findKnowledgeBase(client, kb);
  const file = targetFile(given, `${name}.zip`, options.force);
  const progress = new Progress(`Exporting ${name}`, shownSize);
  const { stream } = await exportKnowledgeBase(client, id, { onProgress: (bytes) => progress.show(bytes) });
  const size = await deliver(stream, file, progress);
  if (size === undefined) return;
  print(options, { knowledge_base_id: id, file, size }, [`${name} is in ${file} (${shownSize(size)}).`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument(...KNOWLEDGE_BASE)
    .argument("[file]", "to write; - is standard output; without it, its name with .zip")
    .option("--force", "replace the file when it is there")
    .action(run);
}
