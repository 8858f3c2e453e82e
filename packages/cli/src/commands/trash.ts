import { listAll } from "@svc/sdk";
import type { Command } from "commander";
import { trashId } from "../address/find-by-name.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { counted, print, shownTime, table } from "../output.ts";

async function list(options: ServerOptions): Promise<void> {
  const all = await Array.fromAsync(listAll(connect(options), "/trash"));
  print(
    options,
    { trash: all },
    table(
      ["ID", "KIND", "NAME", "DELETED", "GONE AFTER"],
      all.map((one) => [one.id, one.kind, one.name, shownTime(one.deleted_at), shownTime(one.expires_at)]),
    ),
  );
}

async function restore(id: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const { data } = await client.post("/trash/{id}/restore", { path: { id: await trashId(client, id) } });
  const folders = data.folder_ids.length > 0 ? ` in ${counted(data.folder_ids.length, "folder")}` : "";
  const links =
    data.ended_links > 0 ? ` Without ${counted(data.ended_links, "share link")}: svc share makes new ones.` : "";
  print(options, data, [`${counted(data.document_ids.length, "document")}${folders} came back.${links}`]);
}

export function define(trash: Command): void {
  withServer(trash.command("list", { isDefault: true }))
    .description("what can be brought back (also plain svc trash)")
    .action(list);
  withServer(trash.command("restore"))
    .description("bring it back where it was")
    .argument("<trash id>", "as svc trash shows it, or the name that it had")
    .action(restore);
}
