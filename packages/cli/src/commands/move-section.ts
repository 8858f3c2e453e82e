import type { Client, OutlineItem } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { CommandError } from "../command-error.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { counted, print, quoted } from "../output.ts";

interface Options extends ServerOptions {
  readonly afterHeading?: string;
  readonly ifMatch?: string;
}

async function run(address: string, heading: string, to: string, options: Options): Promise<void> {
  const client = connect(options);
  const [id, target_document_id] = [await documentId(client, address), await documentId(client, to)];
  const blockId = await headingId(client, id, address, heading);
  const { afterHeading, ifMatch } = options;
  const position = afterHeading === undefined ? { document_end: true as const } : { after_heading: afterHeading };
  const { data } = await client.post("/documents/{id}/sections/{blockId}/move", {
    path: { id, blockId },
    body: { target_document_id, position },
    ...(ifMatch !== undefined && { ifMatch }),
  });
  const links = `${counted(data.relinked.length, "link")} changed`;
  print(options, data, [`${counted(data.moved_block_ids.length, "block")} moved to ${to}; ${links}.`]);
}

async function headingId(client: Client, id: string, address: string, heading: string): Promise<string> {
  if (heading.startsWith("block_")) return heading;
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  const wanted = folded(heading.replace(/^#+\s+/, ""));
  const found = flat(data.items).find((item) => folded(item.text) === wanted);
  if (found) return found.block_id;
  throw new CommandError(EXIT.failure, `There is no heading ${JSON.stringify(heading)} in ${address}.`, {
    code: "heading_not_found",
    next: [`svc cat --outline ${quoted(address)}`],
  });
}

const folded = (text: string): string => text.replace(/\s+/g, "").toLowerCase();
const flat = (items: readonly OutlineItem[]): OutlineItem[] => items.flatMap((item) => [item, ...flat(item.children)]);

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("<heading>", "text of the section's heading, or its block id")
    .argument("<to>", "path or id of the document that it goes to")
    .option("--after-heading <text>", "right below this heading; left out, at the end")
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .action(run);
}
