import { type Client, listAll } from "@svc/sdk";
import type { Command } from "commander";
import { type Place, resolvePlace } from "../address/resolve.ts";
import { nameOf, type TreeItem } from "../address/walk-tree.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, shownTime, table } from "../output.ts";

interface Options extends ServerOptions {
  readonly long?: boolean;
  readonly summaries?: boolean;
}

/** One line of a listing. */
interface Row {
  readonly type: "knowledge_base" | "folder" | "document";
  readonly id: number | string;
  readonly name: string;
  readonly updated_at: number | null;
}

async function run(place: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  if (options.summaries) return overview(client, place, options);
  const rows = place === undefined ? await knowledgeBases(client) : await rowsOf(client, await find(client, place));
  print(options, { items: rows }, options.long ? long(rows) : rows.map(shownName));
}

/** Every page below a place with the line that its summary begins with. */
async function overview(client: Client, text: string | undefined, options: Options): Promise<void> {
  if (text === undefined) throw usage("An overview is of a knowledge base or a folder: name one.", "svc ls");
  const place = await resolvePlace(client, text, "knowledge_base", "folder");
  const { data } =
    place.kind === "folder"
      ? await client.get("/folders/{id}/summary", { path: { id: place.folder.id } })
      : await client.get("/knowledge-bases/{id}/summary", { path: { id: place.knowledgeBase.id } });
  const lines = data.text.split("\n").map((line) => line.replace(LINK, "$1"));
  print(options, data, lines);
}

const LINK = /^- \[(.*)\]\(svc:\/\/doc\/doc_\w+\)/;

const find = (client: Client, place: string) => resolvePlace(client, place, "knowledge_base", "folder", "document");

async function knowledgeBases(client: Client): Promise<Row[]> {
  const all = await Array.fromAsync(listAll(client, "/knowledge-bases"));
  return all.map(({ id, name, updated_at }) => ({ type: "knowledge_base", id, name, updated_at }));
}

async function rowsOf(client: Client, place: Place): Promise<Row[]> {
  if (place.kind === "knowledge_base") return place.items.map(row);
  if (place.kind === "folder") return place.folder.children.map(row);
  const { data } = await client.get("/documents/{id}", { path: { id: place.id } });
  return [{ type: "document", id: data.id, name: data.title, updated_at: data.updated_at }];
}

const row = (item: TreeItem): Row => ({
  type: item.type,
  id: item.id,
  name: nameOf(item),
  updated_at: item.type === "document" ? item.updated_at : null,
});

/** As it goes into a path; what holds others ends with a slash. */
const shownName = ({ type, name }: Row): string => name.replaceAll("/", "\\/") + (type === "document" ? "" : "/");

const prefixes = { knowledge_base: "kb:", folder: "folder:", document: "" };

const long = (rows: readonly Row[]): string[] =>
  table(
    ["ID", "CHANGED", "NAME"],
    rows.map((one) => [`${prefixes[one.type]}${one.id}`, shownTime(one.updated_at), shownName(one)]),
  );

export function define(command: Command): void {
  withServer(command)
    .argument("[place]", "a knowledge base, folder or document; without it, the knowledge bases")
    .option("-l, --long", "with ids and times")
    .option("--summaries", "every page below it, with a line of its summary")
    .action(run);
}
