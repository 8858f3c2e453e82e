import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { type Client, exportSpreadsheet, MAX_ANSWER_BYTES } from "@svc/sdk";
import { type Command, Option } from "commander";
import { documentId } from "../address/resolve.ts";
import { ANY_VERSION } from "../bodies.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print, printText, shownSize } from "../output.ts";
import { Progress } from "../progress.ts";
import { deliver, targetFile } from "../save-stream.ts";

interface Options extends ServerOptions {
  readonly range?: string;
  readonly sheet?: string;
  readonly out?: string;
  readonly in?: string;
  readonly values?: "results" | "formulas";
  readonly ifMatch?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

async function run(address: string, options: Options): Promise<void> {
  if (options.in !== undefined && options.out !== undefined) throw usage("--in and --out do not go together.");
  const client = connect(options);
  const id = await documentId(client, address);
  if (options.in !== undefined) return bringIn(client, id, options.in, options);
  if (options.out !== undefined) return takeOut(client, id, options.out, options);
  const query = {
    ...(options.sheet !== undefined && { sheet: options.sheet }),
    ...(options.range !== undefined && { range: options.range }),
  };
  if (options.json) {
    const { data } = await client.get("/documents/{id}/spreadsheet", { path: { id }, query });
    return print(options, { document_id: id, ...data }, []);
  }
  const { stream } = await exportSpreadsheet(client, id, { format: "markdown", ...query, maxBytes: MAX_ANSWER_BYTES });
  printText(await new Response(stream).text());
}

/** The format by the ending of a file's name. */
function formatOf(file: string): "csv" | "xlsx" {
  const format = extname(file).slice(1).toLowerCase();
  if (format !== "csv" && format !== "xlsx") throw usage(`${file}: the name must end with .csv or .xlsx.`);
  return format;
}

async function takeOut(client: Client, id: string, given: string, options: Options): Promise<void> {
  const format = formatOf(given);
  const file = targetFile(given, given, options.force);
  const { sheet, values } = options;
  const progress = new Progress(`Writing ${file}`, shownSize);
  const { stream } = await exportSpreadsheet(client, id, {
    format,
    ...(sheet && { sheet }),
    ...(values && { values }),
  });
  const size = await deliver(stream, file, progress);
  print(options, { document_id: id, file, size }, [`The spreadsheet is in ${file} (${shownSize(size ?? 0)}).`]);
}

async function bringIn(client: Client, id: string, file: string, options: Options): Promise<void> {
  const format = formatOf(file);
  const bytes = await readFile(file).catch(() => {
    throw usage(`${file} cannot be read.`);
  });
  const { data } = await client.put("/documents/{id}/spreadsheet", {
    path: { id },
    ifMatch: options.ifMatch ?? ANY_VERSION,
    query: { ...(options.sheet && { sheet: options.sheet }), ...(options.dryRun && { dry_run: true }) },
    body: { format, content: bytes.toString(format === "csv" ? "utf8" : "base64") },
  });
  const verb = options.dryRun ? "would be" : "is";
  print(options, { document_id: id, ...data }, [`${file} ${verb} in the spreadsheet (version ${data.version}).`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .option("--range <cells>", "only these cells, such as A1:D20")
    .option("--sheet <name>", "only this sheet; with --in the one that is replaced or added")
    .option("--out <file>", "write a .csv or .xlsx file")
    .option("--in <file>", "replace the sheets by those of a .csv or .xlsx file")
    .addOption(
      new Option("--values <what>", "of CSV: results, or formulas as they are written").choices([
        "results",
        "formulas",
      ]),
    )
    .option("--if-match <version>", "with --in: only if this is still its version; else exit code 4")
    .option("--force", "with --out: replace the file when it is there")
    .option("--dry-run", "with --in: show what would change, and write nothing")
    .addHelpText(
      "after",
      "\nWithout --in and --out: the sheets with the results of their formulas. What was there stays in svc history.",
    )
    .action(run);
}
