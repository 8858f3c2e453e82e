import { parseMarkdown } from "@svc/document/markdown/parse";
import { type Client, isSuggested, type OutlineItem, type Position } from "@svc/sdk";
import { type Command, Option } from "commander";
import { documentId } from "../address/resolve.ts";
import { SUGGEST, shownSuggestion } from "../bodies.ts";
import { CommandError, usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { counted, print, quoted } from "../output.ts";
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
  const nodes = parseMarkdown(await readInput(file, options));
  if (nodes.length === 0) throw usage("There is nothing to add: the text is empty.");
  const id = await documentId(client, address);
  const position = await positionOf(client, id, address, options);
  const { ifMatch } = options;
  const { data } = await client.post("/documents/{id}/blocks", {
    path: { id },
    query: options.suggest ? SUGGEST : {},
    body: { position, nodes: nodes as never },
    ...(ifMatch !== undefined && { ifMatch }),
  });
  if (isSuggested(data)) return print(options, { document_id: id, ...data }, [shownSuggestion(address, data)]);
  const blocks = data.blocks.map((block) => ({ id: block.id, type: block.type, position: block.position }));
  print(options, { document_id: id, version: data.version, blocks }, [
    `${counted(blocks.length, "block")} added to ${address}.`,
  ]);
}

async function positionOf(client: Client, id: string, address: string, options: Options): Promise<Position> {
  const { afterHeading, section, afterBlock, beforeBlock, start } = options;
  if (afterHeading !== undefined) return { after_heading: afterHeading };
  if (section !== undefined) return { after_block_id: await endOfSection(client, id, address, section) };
  if (afterBlock !== undefined) return { after_block_id: afterBlock };
  if (beforeBlock !== undefined) return { before_block_id: beforeBlock };
  return start ? { document_start: true } : { document_end: true };
}

/** Headings are compared as `after_heading` does it: without case and white space, and a part of one will do. */
async function endOfSection(client: Client, id: string, address: string, heading: string): Promise<string> {
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  const all = flat(data.items);
  const wanted = folded(heading);
  const found =
    all.find((item) => folded(item.text) === wanted) ?? all.find((item) => folded(item.text).includes(wanted));
  if (found) return found.range.end_block_id;
  throw new CommandError(EXIT.failure, `There is no heading ${JSON.stringify(heading)} in ${address}.`, {
    code: "heading_not_found",
    next: [`svc cat --outline ${quoted(address)}`],
  });
}

const folded = (text: string): string => text.replace(/\s+/g, "").toLowerCase();
const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);

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
    .addOption(place("--section <text>", "at the end of the section of this heading"))
    .addOption(place("--after-block <block id>", "after this block"))
    .addOption(place("--before-block <block id>", "before this block"))
    .addOption(place("--start", "at the very beginning; without any of these, at the end"))
    .option("--suggest", "propose it for people to decide instead of writing it")
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .action(run);
}
