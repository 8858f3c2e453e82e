import type { Client, Suggested, Written } from "@svc/sdk";
import type { Command } from "commander";
import { parseAddress } from "../address/parse-address.ts";
import { documentId } from "../address/resolve.ts";
import { resolveDocumentTarget } from "../address/target.ts";
import { wholeVersion } from "../address/whole.ts";
import { ANY_VERSION, shownSave, writeMarkdown } from "../bodies.ts";
import { failure } from "../command-error.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print, quoted } from "../output.ts";
import { readInput, type TextOption } from "../read-input.ts";
import { hasConflictMarkers } from "../text/merge.ts";

interface Options extends ServerOptions, TextOption {
  readonly ifMatch?: string;
  readonly create?: boolean;
  readonly dryRun?: boolean;
  readonly suggest?: boolean;
}

async function run(address: string, file: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  const content = await readInput(file, options);
  if (content.trim() === "" && options.text === undefined && (file ?? "-") === "-")
    throw failure(
      "Standard input is empty, so nothing was written.",
      `svc write ${quoted(address)} --text '' empties the document`,
    );
  if (hasConflictMarkers(content))
    throw failure("The text still has unresolved conflicts between <<<<<<< and >>>>>>>: nothing was written.");
  const { id, ...written } = await save(client, address, content, options);
  const verb = options.dryRun ? "would be saved" : "is saved";
  print(options, { document_id: id, ...written }, [shownSave(address, verb, written)]);
}

async function save(
  client: Client,
  address: string,
  content: string,
  options: Options,
): Promise<(Written | Suggested) & { id: string }> {
  const { ifMatch = ANY_VERSION, create } = options;
  if (create && parseAddress(address).kind === "path") {
    const { name, existing, ...location } = await resolveDocumentTarget(client, address, true);
    if (!existing.some((item) => item.type === "document")) {
      const body = { title: name, ...location, content: { format: "markdown" as const, content } };
      const { data } = await client.post("/documents", { body });
      return { id: data.id, version: data.version, changed_block_ids: [] };
    }
  }
  const id = await documentId(client, address);
  const version = await wholeVersion(client, id, ifMatch);
  return { id, ...(await writeMarkdown(client, id, content, version, options)) };
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .argument("[file]", "Markdown; - or nothing reads standard input")
    .option("-t, --text <markdown>", "the text itself")
    .option("--if-match <version>", "only if this is still its version (svc cat --json shows it); else exit code 4")
    .option("--create", "make the document, and the folders on the way, when it is not there")
    .option("--suggest", "propose it for people to decide instead of writing it")
    .option("--dry-run", "show what would change, and write nothing")
    .addHelpText(
      "after",
      "\nA block that keeps its anchor comment (svc cat --anchors) keeps its id. What was there stays in svc history.",
    )
    .action(run);
}
