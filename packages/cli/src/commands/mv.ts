import type { Client } from "@svc/sdk";
import type { Command } from "commander";
import { parseAddress } from "../address/parse-address.ts";
import { meansFolder, parsePath, showPath } from "../address/path-text.ts";
import { type PlaceOptions, placeAmong } from "../address/place-among.ts";
import { type DocumentPlace, type FolderPlace, resolvePlace } from "../address/resolve.ts";
import { type Location, locationOf, resolveTarget } from "../address/target.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions, PlaceOptions {
  readonly parents?: boolean;
}

interface Destination extends Partial<Location> {
  /** undefined keeps the name. */
  readonly name: string | undefined;
}

async function run(from: string, to: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  const item = await resolvePlace(client, from, "document", "folder");
  const place = await placeAmong(client, options);
  if (to === undefined && !place) throw usage("Name the new path, or --first, --last, --before or --after.");
  const destination = to === undefined ? { name: undefined } : await destinationOf(client, to, options.parents);
  const moved =
    item.kind === "document"
      ? await moveDocument(client, item, destination, place)
      : await moveFolder(client, item, destination, place);
  if (to === undefined) return print(options, moved, [`${from} has moved within its folder.`]);
  const name = "title" in moved ? moved.title : moved.name;
  const path = destination.name === undefined ? `${to.replace(/(?<!\\)\/$/, "")}/${showPath([name])}` : to;
  print(options, moved, [`${from} is now ${path}.`]);
}

/** Into a folder or knowledge base that is there; else the last name is the new one, as `mv` of files has it. */
async function destinationOf(
  client: Client,
  to: string,
  parents: boolean | undefined,
): Promise<Destination & Location> {
  const whole = parsePath(to).length === 1 || meansFolder(to) || parseAddress(to).kind !== "path";
  if (whole) return { ...locationOf(await resolvePlace(client, to, "knowledge_base", "folder")), name: undefined };
  const { existing, ...target } = await resolveTarget(client, to, parents);
  const folder = existing.find((item) => item.type === "folder");
  return folder ? { ...target, folder_id: folder.id, name: undefined } : target;
}

type Among = Awaited<ReturnType<typeof placeAmong>>;

async function moveDocument(client: Client, { id }: DocumentPlace, { name, ...location }: Destination, place: Among) {
  const body = { ...location, ...(name !== undefined && { title: name }), ...(place && { place }) };
  return (await client.patch("/documents/{id}", { path: { id }, body })).data;
}

async function moveFolder(client: Client, { folder }: FolderPlace, { name, ...location }: Destination, place: Among) {
  const { knowledge_base_id, folder_id } = location;
  const body = {
    ...(knowledge_base_id !== undefined && { knowledge_base_id }),
    ...(folder_id !== undefined && { parent_id: folder_id }),
    ...(name !== undefined && { name }),
    ...(place && { place }),
  };
  return (await client.patch("/folders/{id}", { path: { id: folder.id }, body })).data;
}

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "the document or folder to move")
    .argument("[to]", "a folder or knowledge base to move it into, or its new path")
    .option("--first", "put it first in its folder")
    .option("--last", "put it last in its folder")
    .option("--before <place>", "put it before this item of the same folder")
    .option("--after <place>", "put it after this item of the same folder")
    .option("-p, --parents", "make the folders on the way")
    .action(run);
}
