import type { Command } from "commander";
import { resolveTarget } from "../address/target.ts";
import { failure } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, quoted } from "../output.ts";

interface Options extends ServerOptions {
  readonly parents?: boolean;
}

async function run(path: string, options: Options): Promise<void> {
  const client = connect(options);
  const { name, knowledge_base_id, folder_id, existing } = await resolveTarget(client, path, options.parents);
  const there = existing.find((item) => item.type === "folder");
  if (there && !options.parents)
    throw failure(`${path} is there already (folder:${there.id}).`, `svc ls ${quoted(path)}`);
  const id = there?.id ?? undefined;
  const { data } =
    id === undefined
      ? await client.post("/folders", { body: { name, knowledge_base_id, parent_id: folder_id } })
      : await client.get("/folders/{id}", { path: { id } });
  print(options, data, [`${path} is folder:${data.id}.`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "path of the folder, such as Handbook/Guides")
    .option("-p, --parents", "make the folders before it too, and take one that is there already")
    .action(run);
}
