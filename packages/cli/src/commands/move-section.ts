import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { wholeVersion } from "../address/whole.ts";
import { connect } from "../connect.ts";
import { findHeading, withHeading } from "../find-heading.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { counted, print } from "../output.ts";

interface Options extends ServerOptions {
  readonly afterHeading?: string;
  readonly ifMatch?: string;
}

async function run(address: string, heading: string, to: string, options: Options): Promise<void> {
  const client = connect(options);
  const [id, target_document_id] = [await documentId(client, address), await documentId(client, to)];
  const blockId = await findHeading(client, id, address, heading);
  const { afterHeading, ifMatch } = options;
  const position = afterHeading === undefined ? { document_end: true as const } : { after_heading: afterHeading };
  const version = ifMatch === undefined ? {} : { ifMatch: await wholeVersion(client, id, ifMatch) };
  const named = { id: target_document_id, address: to, heading: afterHeading };
  const { data } = await withHeading(client, named, () =>
    client.post("/documents/{id}/sections/{blockId}/move", {
      path: { id, blockId },
      body: { target_document_id, position },
      ...version,
    }),
  );
  const left = data.not_relinked.length;
  const notChanged = left === 0 ? "" : `, ${counted(left, "link")} not: you may not write there`;
  const links = `${counted(data.relinked.length, "link")} changed${notChanged}`;
  print(options, data, [`${counted(data.moved_block_ids.length, "block")} moved to ${to}; ${links}.`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("<heading>", "text of the section's heading, or its block id")
    .argument("<to>", "path or id of the document that it goes to")
    .option("--after-heading <text>", "right below this heading; left out, at the end")
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .action(run);
}
