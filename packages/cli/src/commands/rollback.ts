import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { wholeVersion } from "../address/whole.ts";
import { ANY_VERSION, shownChange } from "../bodies.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, type VersionName, versionName, withServer } from "../options.ts";
import { print } from "../output.ts";

interface Options extends ServerOptions {
  readonly ifMatch?: string;
  readonly dryRun?: boolean;
}

async function run(address: string, seq: VersionName, options: Options): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const query = options.dryRun ? { dry_run: true } : {};
  const ifMatch = await wholeVersion(client, id, options.ifMatch ?? ANY_VERSION);
  const { data } =
    typeof seq === "number"
      ? await client.post("/documents/{id}/versions/{seq}/rollback", { path: { id, seq }, query, ifMatch })
      : await client.post("/documents/{id}/history/{stateId}/restore", { path: { id, stateId: seq }, query, ifMatch });
  const verb = options.dryRun ? "would be" : "is";
  print(options, { document_id: id, seq, ...data }, [
    `${address} ${verb} as it was in version ${seq} again: ${shownChange(data)}.`,
  ]);
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("<seq>", "the version to put back, see svc history", versionName)
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .option("--dry-run", "show what would change, and change nothing")
    .addHelpText("after", "\nThe present state is kept as a version first, so a rollback can be undone.")
    .action(run);
}
