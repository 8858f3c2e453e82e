import type { Client } from "@svc/sdk";
import type { Command } from "commander";
import { type DocumentPlace, type FolderPlace, resolvePlace } from "../address/resolve.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { note, print, quoted } from "../output.ts";

interface Options extends ServerOptions {
  readonly recursive?: boolean;
}

async function run(address: string, options: Options): Promise<void> {
  const client = connect(options);
  const place = await resolvePlace(client, address, "document", "folder");
  if (place.kind === "folder" && place.folder.children.length > 0 && !options.recursive)
    throw usage(`${quoted(address)} is a folder with things in it.`, `svc rm --recursive ${quoted(address)}`);
  const removed = await remove(client, place);
  const entry = await findTrashed(client, place.kind, String(removed.id));
  const told = entry ? "is in the trash" : "is gone for good: this server keeps no trash";
  print(options, { ...removed, trash_id: entry?.id ?? null }, [`${address} ${told}.`]);
  if (entry && !options.json) note("     → svc trash lists it and brings it back");
}

/** More may have been deleted since, by others; so many at once are rare. */
const NEWEST = 100;

/** Finds the trash entry of an item that was just deleted. */
async function findTrashed(client: Client, kind: "document" | "folder", id: string) {
  const { data } = await client.get("/trash", { query: { limit: NEWEST } });
  return data.find((entry) => entry.kind === kind && entry.item_id === id);
}

const remove = async (client: Client, place: DocumentPlace | FolderPlace) =>
  place.kind === "document"
    ? (await client.delete("/documents/{id}", { path: { id: place.id } })).data
    : (await client.delete("/folders/{id}", { path: { id: place.folder.id } })).data;

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "a document or a folder")
    .option("-r, --recursive", "a folder with everything in it")
    .action(run);
}
