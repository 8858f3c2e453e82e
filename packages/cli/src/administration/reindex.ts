import { getWorkspace } from "@svc/server/domain/identity/accounts/create-user";
import { requestRebuild } from "@svc/server/views/relations/rebuild-job";
import { requestReindex } from "@svc/server/views/search/background/reindex";
import type { Command } from "commander";
import { JSON_FLAG, type OutputOptions, print } from "../output.ts";
import { withStore } from "./store.ts";

interface ReindexOptions extends OutputOptions {
  readonly workspace?: string;
}

async function reindex(options: ReindexOptions): Promise<void> {
  const ids = await withStore(async (database) => {
    const workspaces =
      options.workspace === undefined
        ? await database.read.selectFrom("workspaces").select("id").orderBy("id").execute()
        : [await getWorkspace(database.read, options.workspace)];
    for (const { id } of workspaces)
      await database.transaction(async (tx) => {
        await requestReindex(tx, id);
        await requestRebuild(tx, id);
      });
    return workspaces.map(({ id }) => id);
  });
  const what = ids.length === 1 ? "1 workspace" : `${ids.length} workspaces`;
  print(options, { workspace_ids: ids }, [
    `The search index and the relations of ${what} are rebuilt by the server, in the background.`,
  ]);
}

export function define(command: Command): void {
  command
    .option("--workspace <id or name>", "only this workspace")
    .option(...JSON_FLAG)
    .action(reindex);
}
