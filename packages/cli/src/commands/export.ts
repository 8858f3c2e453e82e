import { type Client, exportFolder, exportKnowledgeBase } from "@svc/sdk";
import type { Command } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { resolvePlace } from "../address/resolve.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, shownSize } from "../output.ts";
import { Progress } from "../progress.ts";
import { deliver, targetFile } from "../save-stream.ts";

interface Options extends ServerOptions {
  readonly force?: boolean;
}

async function run(kb: string, given: string | undefined, options: Options): Promise<void> {
  if (given === "-" && options.json) throw usage("--json and an archive on standard output do not go together.");
  const client = connect(options);
  const { id, name, isFolder } = await find(client, kb);
  const file = targetFile(given, `${name}.zip`, options.force);
  const progress = new Progress(`Exporting ${name}`, shownSize);
  const onProgress = (bytes: number) => progress.show(bytes);
  const { stream } = await (isFolder ? exportFolder : exportKnowledgeBase)(client, id, { onProgress });
  const size = await deliver(stream, file, progress);
  if (size === undefined) return;
  print(options, { [isFolder ? "folder_id" : "knowledge_base_id"]: id, file, size }, [
    `${name} is in ${file} (${shownSize(size)}).`,
  ]);
}

/** Finds a knowledge base by a name, or one of its folders by a path. */
async function find(client: Client, text: string) {
  if (!text.includes("/")) return { ...(await findKnowledgeBase(client, text)), isFolder: false };
  const place = await resolvePlace(client, text, "knowledge_base", "folder");
  return place.kind === "folder"
    ? { id: place.folder.id, name: place.folder.name, isFolder: true }
    : { id: place.knowledgeBase.id, name: place.knowledgeBase.name, isFolder: false };
}

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "knowledge base, or the path of a folder, such as Handbook/Guides")
    .argument("[file]", "to write; - is standard output; without it, its name with .zip")
    .option("--force", "replace the file when it is there")
    .action(run);
}
