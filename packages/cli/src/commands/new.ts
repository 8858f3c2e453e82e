import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { resolveDocumentTarget } from "../address/target.ts";
import { failure, usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { editorCommand } from "../edit/run-editor.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, quoted } from "../output.ts";
import { readInput, type TextOption } from "../read-input.ts";

interface Options extends ServerOptions, TextOption {
  readonly file?: string;
  readonly parents?: boolean;
  readonly spreadsheet?: boolean;
  readonly edit?: boolean;
  readonly template?: string;
  readonly asTemplate?: boolean;
}

async function run(path: string, options: Options): Promise<void> {
  const client = connect(options);
  if (options.template && (options.file ?? options.text ?? options.spreadsheet ?? options.asTemplate) !== undefined)
    throw usage("--template brings the text and the type: no --file, --text, --spreadsheet or --as-template with it.");
  if (options.edit) editorCommand();
  const hasText = options.file !== undefined || options.text !== undefined;
  const content = hasText ? await readInput(options.file, options) : undefined;
  const { name, existing, ...location } = await resolveDocumentTarget(client, path, options.parents);
  const there = existing.find((item) => item.type === "document");
  if (there) throw failure(`${path} is there already (${there.id}).`, `svc edit ${quoted(path)}`);
  const { data } = options.template
    ? await client.post("/documents/{id}/copy", {
        path: { id: await documentId(client, options.template) },
        body: { title: name, ...location },
      })
    : await client.post("/documents", {
        body: {
          title: name,
          ...location,
          ...(options.spreadsheet && { document_type: "spreadsheet" as const }),
          ...(options.asTemplate && { is_template: true }),
          ...(content !== undefined && { content: { format: "markdown" as const, content } }),
        },
      });
  if (!options.edit) return print(options, data, [`${path} is made: ${data.id}.`]);
  const { editDocument } = await import("../edit/edit-document.ts");
  const edited = await editDocument(client, data.id);
  print(options, { ...data, ...edited }, [`${path} is made: ${data.id}.`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument("<place>", "path of the document, such as Handbook/Guides/Hello")
    .option("-f, --file <file>", "Markdown to begin with; - reads standard input")
    .option("-t, --text <markdown>", "Markdown to begin with")
    .option("-e, --edit", "open it in $EDITOR at once")
    .option("-p, --parents", "make the folders on the way")
    .option("--spreadsheet", "a spreadsheet: its body is tables")
    .option("--template <document>", "begin with a copy of this document: text, properties and files")
    .option("--as-template", "offer it as a template for new pages in the browser")
    .action(run);
}
