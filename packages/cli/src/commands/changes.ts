import { type Client, type DocumentDifference, listAll } from "@svc/sdk";
import type { Command } from "commander";
import { resolvePlace } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions {
  readonly since: string;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `2d` is two days before now; everything else is for the server to read. */
function timeOf(text: string): string {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/.exec(text) ?? [];
  return unit === undefined ? text : String(Date.now() - Number(count) * UNITS[unit]!);
}

async function run(address: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  const query = { since: timeOf(options.since), ...(await scopeOf(client, address)) };
  const documents = await Array.fromAsync(listAll(client, "/changes/diff", { query }));
  const lines = documents.flatMap(shownDocument);
  print(options, { documents }, lines.length === 0 ? [`Nothing changed since ${options.since}.`] : lines);
}

async function scopeOf(client: Client, address: string | undefined) {
  if (address === undefined) return {};
  const place = await resolvePlace(client, address, "document", "folder", "knowledge_base");
  if (place.kind === "document") return { document_id: place.id };
  return place.kind === "folder" ? { folder_id: place.folder.id } : { knowledge_base_id: place.knowledgeBase.id };
}

const prefixed = (sign: string, text: string | null): string[] =>
  text === null ? [] : text.split("\n").map((line) => `${sign}${line}`);

function shownDocument({ path_text, complete, changes }: DocumentDifference): string[] {
  const head = `=== ${path_text}${complete ? "" : " (its state of that time is no longer kept)"}`;
  return [
    head,
    ...changes.flatMap(({ heading_path, change_type, before, after }) => [
      `@@ ${[...heading_path, ...(change_type === "moved" ? ["(moved)"] : [])].join(" > ")}`,
      ...(change_type === "moved" ? prefixed(" ", after) : [...prefixed("-", before), ...prefixed("+", after)]),
    ]),
  ];
}

export function define(command: Command): void {
  withServer(command)
    .argument("[place]", "a document, folder or knowledge base; left out, everything")
    .requiredOption("--since <time>", "a date or time, or 30m, 2h, 1d, 1w before now")
    .action(run);
}
