import { isSuggested } from "@svc/sdk";
import { type Command, Option } from "commander";
import { documentId } from "../address/resolve.ts";
import { wholeVersion } from "../address/whole.ts";
import { ANY_VERSION, SUGGEST, shownSuggestion } from "../bodies.ts";
import { connect } from "../connect.ts";
import { withHeading } from "../find-heading.ts";
import { DOCUMENT, type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { counted, print } from "../output.ts";

interface Options extends ServerOptions {
  readonly section?: string;
  readonly occurrence?: number;
  readonly all?: boolean;
  readonly ifMatch?: string;
  readonly suggest?: boolean;
  readonly dryRun?: boolean;
}

async function run(address: string, old: string, text: string, options: Options): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const { section, ifMatch = ANY_VERSION, dryRun = false } = options;
  const occurrence = options.all ? ("all" as const) : options.occurrence;
  const operation = {
    op: "edit_markdown" as const,
    old,
    new: text,
    ...(section !== undefined && { section }),
    ...(occurrence !== undefined && { occurrence }),
  };
  const base_version = await wholeVersion(client, id, ifMatch);
  const { data } = await withHeading(client, { id, address, heading: section }, () =>
    client.post("/documents/{id}/batch", {
      path: { id },
      query: { ...(dryRun && { dry_run: true }), ...(options.suggest && SUGGEST) },
      body: { base_version, operations: [operation] },
    }),
  );
  if (isSuggested(data)) return print(options, { document_id: id, ...data }, [shownSuggestion(address, data)]);
  const { version, changed_block_ids } = data;
  const count = Number(data.results[0]?.count);
  print(options, { document_id: id, version, count, changed_block_ids }, [
    `${counted(count, "place")} ${dryRun ? "would be" : count === 1 ? "is" : "are"} replaced in ${address}.`,
  ]);
}

export function define(command: Command): void {
  withServer(command)
    // An item of a list begins with a hyphen, as options do.
    .allowUnknownOption()
    .argument(...DOCUMENT)
    .argument("<old>", "a stretch of the document's Markdown; it may have several lines")
    .argument("<new>", "Markdown in its place; empty text takes it out")
    .option("--section <text>", "only in the section of this heading")
    .addOption(
      new Option("--occurrence <number>", "which one, if there are several").argParser(wholeNumber(1)).conflicts("all"),
    )
    .option("--all", "all of them")
    .option("--if-match <version>", "only if this is still the document's version; else exit code 4")
    .option("--suggest", "propose it for people to decide instead of writing it")
    .option("--dry-run", "show what would change, and write nothing")
    .action(run);
}
