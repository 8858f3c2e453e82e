import type { Client } from "@svc/sdk";
import type { Command } from "commander";
import { parseAddress } from "../address/parse-address.ts";
import { meansFolder, parsePath, showPath } from "../address/path-text.ts";
import { type DocumentPlace, type FolderPlace, resolvePlace } from "../address/resolve.ts";
import { type Location, locationOf, resolveTarget } from "../address/target.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions {
  readonly parents?: boolean;
}

interface Destination extends Location {
  /** undefined keeps the name. */
  readonly name: string | undefined;
}

async function run(from: string, to: string, options: Options): Promise<void> {
  const client = connect(options);
  const place = await resolvePlace(client, from, "document", "folder");
  const destination = await destinationOf(client, to, options.parents);
  const moved =
    place.kind === "document"
      ? await moveDocument(client, place, destination)
      : await moveFolder(client, place, destination);
  const name = "title" in moved ? moved.title : moved.name;
  const path = destination.name === undefined ? `${to.replace(/(?<!\\)\/$/, "")}/${showPath([name])}` : to;
  print(options, moved, [`${from} is now ${path}.`]);
}

/** Into a folder or knowledge base that is there; else the last name is the new one, as `mv` of files has it. */
async function destinationOf(client: Client, to: string, parents: boolean | undefined): Promise<Destination> {
  const whole = parsePath(to).length === 1 || meansFolder(to) || parseAddress(to).kind !== "path";
  if (whole) return { ...locationOf(await resolvePlace(client, to, "knowledge_base", "folder")), name: undefined };
  const { existing, ...target } = await resolveTarget(client, to, parents);
  const folder = existing.find((item) => item.type === "folder");
  return folder ? { ...target, folder_id: folder.id, name: undefined } : target;
}

async function moveDocument(client: Client, { id }: DocumentPlace, { name, ...location }: Destination) {
  const body = { ...location, ...(name !== undefined && { title: name }) };
  return (await client.patch("/documents/{id}", { path: { id }, body })).data;
}

async function moveFolder(client: Client, { folder }: FolderPlace, { name, ...location }: Destination) {
  const { knowledge_base_id, folder_id } = location;
  const body = { knowledge_base_id, parent_id: folder_id, ...(name !== undefined && { name }) };
  return (await client.patch("/folders/{id}", { path: { id: folder.id }, body })).data;
}

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "the document or folder to move")
    .argument("<to>", "a folder or knowledge base to move it into, or its new path")
    .option("-p, --parents", "make the folders on the way")
    .action(run);
}
