import { listAll } from "@svc/sdk";
import type { Command } from "commander";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, table } from "../output.ts";

const GROUP = ["<group id>", "grp_…"] as const;
const USER = ["<user id>", "user_…"] as const;

async function list(options: ServerOptions): Promise<void> {
  const groups = await Array.fromAsync(listAll(connect(options), "/groups"));
  const rows = groups.map((group) => [group.id, group.name, group.members.map(({ name }) => name).join(", ")]);
  print(options, { groups }, table(["ID", "NAME", "MEMBERS"], rows));
}

async function create(name: string, options: ServerOptions): Promise<void> {
  const { data } = await connect(options).post("/groups", { body: { name } });
  print(options, data, [`${data.name} (${data.id}) is made.`]);
}

async function rename(id: string, name: string, options: ServerOptions): Promise<void> {
  const { data } = await connect(options).patch("/groups/{id}", { path: { id }, body: { name } });
  print(options, data, [`${data.id} is now ${data.name}.`]);
}

async function remove(id: string, options: ServerOptions): Promise<void> {
  const { data } = await connect(options).delete("/groups/{id}", { path: { id } });
  print(options, data, [`${id} is deleted; the roles that it had are gone with it.`]);
}

async function add(id: string, userId: string, options: ServerOptions): Promise<void> {
  const { data } = await connect(options).put("/groups/{id}/members/{userId}", { path: { id, userId } });
  print(options, data, [`${userId} is in ${data.name}.`]);
}

async function takeOut(id: string, userId: string, options: ServerOptions): Promise<void> {
  const { data } = await connect(options).delete("/groups/{id}/members/{userId}", { path: { id, userId } });
  print(options, data, [`${userId} is not in ${data.name}.`]);
}

export function define(groups: Command): void {
  withServer(groups.command("list", { isDefault: true }))
    .description("all groups and who is in them (also plain svc groups)")
    .action(list);
  withServer(groups.command("create")).description("make a group").argument("<name>", "what to call it").action(create);
  withServer(groups.command("rename"))
    .description("give it another name")
    .argument(...GROUP)
    .argument("<name>", "the new name")
    .action(rename);
  withServer(groups.command("delete"))
    .description("delete it with the roles that it has")
    .argument(...GROUP)
    .action(remove);
  withServer(groups.command("add"))
    .description("put a member of the workspace into it")
    .argument(...GROUP)
    .argument(...USER)
    .action(add);
  withServer(groups.command("remove"))
    .description("take a member out of it")
    .argument(...GROUP)
    .argument(...USER)
    .action(takeOut);
}
