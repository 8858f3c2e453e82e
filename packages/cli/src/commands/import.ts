import { statSync } from "node:fs";
import { basename } from "node:path";
import { ConnectionError, importKnowledgeBase } from "@svc/sdk";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { fileToSend } from "../file-to-send.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { counted, note, print, shownSize } from "../output.ts";
import { packFolder } from "../pack-folder.ts";
import { Progress } from "../progress.ts";

interface Options extends ServerOptions {
  readonly name?: string;
}

async function run(file: string, options: Options): Promise<void> {
  const client = connect(options);
  const { content, fileName, leftOut, remove } = statSync(file).isDirectory()
    ? await packFolder(file)
    : { content: await fileToSend(file), fileName: basename(file), leftOut: [], remove: async () => {} };
  const { size } = content;
  const upload = new Progress(`Sending ${basename(file)}`, shownSize);
  const building = new Progress("Importing documents", String, { lines: true });
  let isThere = false;
  try {
    const job = await importKnowledgeBase(
      client,
      { content, fileName, ...(options.name !== undefined && { name: options.name }) },
      {
        onProgress: (bytes) => upload.show(bytes, size),
        wait: {
          onProgress: ({ progress }) => {
            isThere = true;
            building.show(progress.documents_done, progress.documents_total);
          },
          pollMs: 500,
        },
      },
    );
    for (const warning of [...leftOut, ...job.warnings]) note(warning);
    print(options, job, [
      `kb:${job.knowledge_base_id} is made: ${counted(job.documents ?? 0, "document")}, ${counted(job.folders ?? 0, "folder")}, ${counted(job.attachments ?? 0, "file")}.`,
      ...(job.links_resolved || job.links_unresolved
        ? [`Of the links between them ${job.links_resolved ?? 0} lead there, ${job.links_unresolved ?? 0} nowhere.`]
        : []),
    ]);
  } catch (error) {
    if (!isThere || !(error instanceof ConnectionError)) throw error;
    throw new CommandError(EXIT.unavailable, `${error.message} The server has the archive and goes on with it.`, {
      code: error.code,
      next: ["svc kb lists it with (importing) behind its name until it is done"],
    });
  } finally {
    building.end();
    await remove();
  }
}

export function define(command: Command): void {
  withServer(command)
    .argument(
      "<file>",
      "a folder of Markdown or HTML files or an Obsidian vault, as it is or as a ZIP archive; an export of svc, Notion (Markdown and CSV, or HTML) or Confluence (HTML); or a Markdown, HTML or Word file (.md, .html, .docx)",
    )
    .option("--name <name>", "what to call the knowledge base")
    .action(run);
}
