import { type Client, type DocumentDifference, momentOf, sinceVisit } from "@svc/sdk";
import type { Command } from "commander";
import { resolvePlace } from "../address/resolve.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions {
  readonly since: string;
}

/** Everything, or what is below a place, since a moment; `until` when it was read. */
async function differences(client: Client, query: { readonly since: string }) {
  const documents: DocumentDifference[] = [];
  let until = 0;
  for (let cursor: string | undefined; ; ) {
    const { data, page, ...span } = await client.get("/changes/diff", { query: { ...query, limit: 100, cursor } });
    documents.push(...data);
    until ||= span.until;
    if (page.next_cursor === null) return { documents, until };
    cursor = page.next_cursor;
  }
}

async function run(address: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  const scope = await scopeOf(client, address);
  const moment = momentIn(options.since);
  const read = (since: string) => differences(client, { since, ...scope });
  const found = moment === undefined ? await sinceVisit(client, options.since, read) : await read(String(moment));
  if (!found)
    return print(options, { documents: [] }, [
      `No visit is kept as ${options.since} yet: it begins now. For a time, say 1d, 2h or a date.`,
    ]);
  const lines = found.documents.flatMap(shownDocument);
  const { documents } = found;
  print(options, { documents }, lines.length === 0 ? [`Nothing changed since ${options.since}.`] : lines);
}

function momentIn(text: string): number | undefined {
  try {
    return momentOf(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usage(`${error.message} Give one like 2026-01-31 or 2026-01-31T12:00Z.`);
  }
}

async function scopeOf(client: Client, address: string | undefined) {
  if (address === undefined) return {};
  const place = await resolvePlace(client, address, "document", "folder", "knowledge_base");
  if (place.kind === "document") return { document_id: place.id };
  return place.kind === "folder" ? { folder_id: place.folder.id } : { knowledge_base_id: place.knowledgeBase.id };
}

const prefixed = (sign: string, text: string | null): string[] =>
  text === null ? [] : text.split("\n").map((line) => `${sign}${line}`);

function shownDocument({ path_text, deleted_at, complete, changes }: DocumentDifference): string[] {
  const head = `=== ${path_text}${deleted_at === null ? "" : " (deleted)"}${complete ? "" : " (its state of that time is no longer kept)"}`;
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
    .requiredOption(
      "--since <time>",
      "a date or time, 30m, 2h, 1d or 1w before now, or a name (last_visit) that remembers each call of it",
    )
    .action(run);
}
