import { parseMarkdown } from "@svc/document/markdown/parse";
import type { Node } from "@svc/document/types";
import { type Client, isSuggested, type Position } from "@svc/sdk";
import { type Command, Option } from "commander";
import { documentId } from "../address/resolve.ts";
import { wholeBlockId, wholeVersion } from "../address/whole.ts";
import { ANY_VERSION, SUGGEST, shownSuggestion } from "../bodies.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { withHeading } from "../find-heading.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { counted, print } from "../output.ts";
import { readInput, type TextOption } from "../read-input.ts";

interface Options extends ServerOptions, TextOption {
  readonly afterHeading?: string;
  readonly section?: string;
  readonly afterBlock?: string;
  readonly beforeBlock?: string;
  readonly start?: boolean;
  readonly ifMatch?: string;
  readonly suggest?: boolean;
}

async function run(address: string, file: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  const text = await readInput(file, options);
  const nodes = parseMarkdown(text);
  if (nodes.length === 0) throw usage("There is nothing to add: the text is empty.");
  const id = await documentId(client, address);
  const named = { id, address, heading: options.afterHeading ?? options.section };
  const data = await withHeading(client, named, () => add(client, id, nodes, text, options));
  if (isSuggested(data)) return print(options, { document_id: id, ...data }, [shownSuggestion(address, data)]);
  const blocks = data.blocks.map((block) => ({ id: block.id, type: block.type, position: block.position }));
  print(options, { document_id: id, version: data.version, blocks }, [
    `${counted(blocks.length, "block")} added to ${address}.`,
  ]);
}

/** Adds blocks at a given position, or at the end of the document or section, where a list joins the one before. */
async function add(client: Client, id: string, nodes: readonly Node[], markdown: string, options: Options) {
  const { section } = options;
  const ifMatch = await wholeVersion(client, id, options.ifMatch ?? ANY_VERSION);
  const query = options.suggest ? SUGGEST : {};
  const position = await positionOf(client, id, options);
  if (position)
    return (
      await client.post("/documents/{id}/blocks", {
        path: { id },
        query,
        body: { position, nodes },
        ifMatch,
      })
    ).data;
  const operation = { op: "append_markdown" as const, markdown, ...(section !== undefined && { section }) };
  const body = { base_version: ifMatch, operations: [operation] };
  return (await client.post("/documents/{id}/batch", { path: { id }, query, body })).data;
}

async function positionOf(client: Client, id: string, options: Options): Promise<Position | undefined> {
  const { afterHeading, afterBlock, beforeBlock, start } = options;
  if (afterHeading !== undefined) return { after_heading: afterHeading };
  if (afterBlock !== undefined) return { after_block_id: await wholeBlockId(client, id, afterBlock) };
  if (beforeBlock !== undefined) return { before_block_id: await wholeBlockId(client, id, beforeBlock) };
  return start ? { document_start: true } : undefined;
}

export function define(command: Command): void {
  const others = ["afterHeading", "section", "afterBlock", "beforeBlock", "start"];
  const place = (flags: string, meaning: string) => {
    const option = new Option(flags, meaning);
    return option.conflicts(others.filter((name) => name !== option.attributeName()));
  };
  withServer(command)
    .argument(...DOCUMENT)
    .argument("[file]", "Markdown; - or nothing reads standard input")
    .option("-t, --text <markdown>", "the text itself")
    .addOption(place("--after-heading <text>", "right below this heading"))
    .addOption(place("--section <text>", "at the end of the text of this heading, before the sections inside of it"))
    .addOption(place("--after-block <block id>", "after this block"))
    .addOption(place("--before-block <block id>", "before this block"))
    .addOption(place("--start", "at the very beginning; without any of these, at the end"))
    .option("--suggest", "propose it for people to decide instead of writing it")
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .action(run);
}
