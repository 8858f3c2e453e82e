import { listAll } from "@svc/sdk";
import type { Command } from "commander";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, table } from "../output.ts";

async function run(name: string | undefined, options: ServerOptions): Promise<void> {
  const query = name === undefined ? {} : { q: name };
  const people = await Array.fromAsync(listAll(connect(options), "/members", { query }));
  const rows = people.map(({ id, name, role }) => [name, role, `[@${name}](svc://user/${id})`]);
  print(options, { people }, table(["NAME", "ROLE", "TO MENTION THEM"], rows));
}

export function define(command: Command): void {
  withServer(command).argument("[name]", "part of a name").action(run);
}
