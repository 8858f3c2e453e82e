import { styleText } from "node:util";
import type { BlockDifference, Client } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { failure, usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, type VersionName, versionName, withServer } from "../options.ts";
import { print } from "../output.ts";
import { unified } from "../text/unified.ts";

interface Options extends ServerOptions {
  readonly anchors?: boolean;
  readonly words?: boolean;
}

async function run(
  address: string,
  from: VersionName | undefined,
  to: VersionName | undefined,
  options: Options,
): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const seq = from ?? (await newestSeq(client, id, address));
  const [old, current, { data: blocks }] = await Promise.all([
    bodyAt(client, id, seq, options.anchors),
    bodyAt(client, id, to, options.anchors),
    differences(client, id, seq, to),
  ]);
  const name = (of: VersionName | undefined) => `${address} (${of === undefined ? "now" : `version ${of}`})`;
  const lines = unified(name(seq), name(to), old, current);
  print(
    options,
    { document_id: id, from_seq: seq, to_seq: to ?? null, ...blocks, unified: joined(lines) },
    options.words ? blocks.changes.flatMap(wordLines) : coloured(lines),
  );
}

function differences(client: Client, id: string, from: VersionName, to: VersionName | undefined) {
  const other = to === undefined ? "current" : String(to);
  if (typeof from === "number")
    return client.get("/documents/{id}/versions/{seq}/diff", { path: { id, seq: from }, query: { to: other } });
  if (typeof to === "number") throw usage("Give two numbers of versions or two ids of states.");
  return client.get("/documents/{id}/history/{stateId}/diff", { path: { id, stateId: from }, query: { with: other } });
}

async function newestSeq(client: Client, id: string, address: string): Promise<number> {
  const { data } = await client.get("/documents/{id}/versions", { path: { id }, query: { limit: 1 } });
  if (!data[0]) throw failure(`${address} has no earlier version yet.`);
  return data[0].seq;
}

async function bodyAt(client: Client, id: string, seq: VersionName | undefined, anchors?: boolean): Promise<string> {
  const query = { format: "markdown" as const, ...(anchors && { annotate: "anchors" as const }) };
  const { data } =
    seq === undefined
      ? await client.get("/documents/{id}/content", { path: { id }, query })
      : typeof seq === "number"
        ? await client.get("/documents/{id}/versions/{seq}", { path: { id, seq }, query })
        : await client.get("/documents/{id}/history/{stateId}", { path: { id, stateId: seq }, query });
  return data.content ?? "";
}

/** A block's change: where it stands, and what became of its words. */
const wordLines = (change: BlockDifference): string[] => [
  styleText("cyan", `@@ ${change.change_type} ${change.block_id} @@`, { stream: process.stdout }),
  change.words?.map(shownWords).join("") ?? `${signs[change.change_type]}${change.excerpt}`,
];

const signs = { added: "+ ", removed: "- ", modified: "~ ", moved: "↕ " };

function shownWords({ kind, text }: NonNullable<BlockDifference["words"]>[number]): string {
  if (kind === "added") return styleText("green", `{+${text}+}`, { stream: process.stdout });
  if (kind === "removed") return styleText("red", `[-${text}-]`, { stream: process.stdout });
  return kind === "omitted" ? ` ${text} ` : text;
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

const colours = new Map<string | undefined, "green" | "red" | "cyan">([
  ["+", "green"],
  ["-", "red"],
  ["@", "cyan"],
]);
const coloured = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const colour = colours.get(line[0]);
    return colour ? styleText(colour, line, { stream: process.stdout }) : line;
  });

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("[from]", "an earlier version, see svc history; without it, the newest of them", versionName)
    .argument("[to]", "a later version; without it, the document as it is now", versionName)
    .option("--anchors", "with the ids of the blocks")
    .option("--words", "block by block, changed words as [-gone-]{+new+}")
    .action(run);
}
