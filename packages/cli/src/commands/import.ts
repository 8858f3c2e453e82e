import { openAsBlob, statSync } from "node:fs";
import { basename } from "node:path";
import { importKnowledgeBase } from "@svc/sdk";
import type { Command } from "commander";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { counted, note, print, shownSize } from "../output.ts";
import { Progress } from "../progress.ts";

interface Options extends ServerOptions {
  readonly name?: string;
}

async function run(file: string, options: Options): Promise<void> {
  const client = connect(options);
  const { size } = statSync(file);
  const content = await openAsBlob(file);
  const upload = new Progress(`Sending ${basename(file)}`, shownSize);
  const building = new Progress("Importing", (count) => counted(count, "document"));
  try {
    const job = await importKnowledgeBase(
      client,
      { content, ...(options.name !== undefined && { name: options.name }) },
      {
        onProgress: (bytes) => upload.show(bytes, size),
        wait: { onProgress: ({ progress }) => building.show(progress.documents_done, progress.documents_total) },
      },
    );
    for (const warning of job.warnings) note(warning);
    print(options, job, [
      `kb:${job.knowledge_base_id} is made: ${counted(job.documents ?? 0, "document")}, ${counted(job.folders ?? 0, "folder")}, ${counted(job.attachments ?? 0, "file")}.`,
    ]);
  } finally {
    building.end();
  }
}

export function define(command: Command): void {
  withServer(command)
    .argument("<file>", "a ZIP archive: an export, or a folder of Markdown files")
    .option("--name <name>", "what to call the knowledge base")
    .action(run);
}
