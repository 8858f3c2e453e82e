import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { wholeVersion } from "../address/whole.ts";
import { ANY_VERSION, shownChange } from "../bodies.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions {
  readonly ifMatch?: string;
  readonly dryRun?: boolean;
}

async function run(address: string, seq: number, options: Options): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const { data } = await client.post("/documents/{id}/versions/{seq}/rollback", {
    path: { id, seq },
    query: options.dryRun ? { dry_run: true } : {},
    ifMatch: await wholeVersion(client, id, options.ifMatch ?? ANY_VERSION),
  });
  const verb = options.dryRun ? "would be" : "is";
  print(options, { document_id: id, seq, ...data }, [
    `${address} ${verb} as it was in version ${seq} again: ${shownChange(data)}.`,
  ]);
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("<seq>", "the version to put back, see svc history", wholeNumber(1))
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .option("--dry-run", "tell what would change, and change nothing")
    .addHelpText("after", "\nThe present state is kept as a version first, so a rollback can be undone.")
    .action(run);
}
