import type { Client, OutlineItem } from "@svc/sdk";
import { type Command, Option } from "commander";
import { resolvePlace } from "../address/resolve.ts";
import { wholeBlockId } from "../address/whole.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { findHeading } from "../find-heading.ts";
import { DOCUMENT, type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { note, print, printText, quoted } from "../output.ts";

interface Options extends ServerOptions {
  readonly anchors?: boolean;
  readonly frontMatter?: boolean;
  readonly outline?: boolean;
  readonly budget?: number;
  readonly cursor?: string;
  readonly around?: string;
  readonly section?: string;
  readonly block?: string;
  readonly at?: number;
  readonly format?: "markdown" | "html" | "tiptap-json";
  readonly locale?: string;
}

async function run(address: string, options: Options): Promise<void> {
  const client = connect(options);
  const place = await resolvePlace(client, address, "document");
  const id = options.locale === undefined ? place.id : await inLanguage(client, place.id, options.locale);
  const block = options.block ?? place.blockId;
  if (block !== undefined) return showBlock(client, id, await wholeBlockId(client, id, block), options);
  if (options.outline) return showOutline(client, id, options);
  const inPart = [options.budget, options.cursor, options.around, options.section].some((one) => one !== undefined);
  return inPart ? showPart(client, id, address, options) : showAll(client, id, options);
}

async function inLanguage(client: Client, id: string, locale: string): Promise<string> {
  const { data } = await client.get("/documents/{id}/localizations", { path: { id }, query: { locale } });
  if (data.id === null) note("It has one language only.");
  if (data.fallback_used) note(`There is no version in ${locale}; this is the one in ${data.resolved_locale}.`);
  return data.resolved_document_id;
}

async function showAll(client: Client, id: string, options: Options): Promise<void> {
  const { format = "markdown", anchors, at } = options;
  if (anchors && format !== "markdown") throw usage("Anchors are a part of Markdown: leave --format out.");
  if (options.frontMatter && format !== "markdown") throw usage("Front matter goes with Markdown: leave --format out.");
  const query = { format, ...(anchors && { annotate: "anchors" as const }) };
  const { data } =
    at === undefined
      ? await client.get("/documents/{id}/content", {
          path: { id },
          query: { ...query, ...(options.frontMatter && { front_matter: true }) },
        })
      : await client.get("/documents/{id}/versions/{seq}", { path: { id, seq: at }, query });
  for (const warning of data.warnings) note(`${warning.block_id ?? "The document"}: ${warning.message}`);
  if (options.json) print(options, { document_id: id, ...data }, []);
  else printText(ended(data.content ?? JSON.stringify(data.document, null, 2)));
}

async function showBlock(client: Client, id: string, blockId: string, options: Options): Promise<void> {
  const query = { format: "markdown" } as const;
  const { data } = await client.get("/documents/{id}/blocks/{blockId}", { path: { id, blockId }, query });
  if (options.json) print(options, { document_id: id, ...data }, []);
  else printText(ended(data.markdown ?? data.text));
}

async function showOutline(client: Client, id: string, options: Options): Promise<void> {
  const { data } = await client.get("/documents/{id}/outline", { path: { id } });
  print(options, { document_id: id, ...data }, outlineLines(data.items, 0));
}

const outlineLines = (items: readonly OutlineItem[], depth: number): string[] =>
  items.flatMap((item) => [
    `${"  ".repeat(depth)}${item.text}  #${item.slug}  ${item.block_id}`,
    ...outlineLines(item.children, depth + 1),
  ]);

/** As much as the budget allows; what follows is named as the next command. */
async function showPart(client: Client, id: string, address: string, options: Options): Promise<void> {
  const { budget, cursor, around } = options;
  const section = options.section && (await findHeading(client, id, address, options.section));
  const query = {
    ...(budget !== undefined && { max_tokens: budget }),
    ...(cursor !== undefined && { cursor }),
    ...(around !== undefined && { around: await wholeBlockId(client, id, around) }),
    ...(section !== undefined && { section }),
  };
  const { data } = await client.get("/documents/{id}/read", { path: { id }, query });
  if (options.json) return print(options, { document_id: id, ...data }, []);
  printText(data.items.map(({ content }) => ended(String(content))).join("\n"));
  if (data.budget_exceeded) note("One block is larger than the budget; it is shown whole.");
  if (data.next_cursor) {
    const again = budget === undefined ? "" : ` --budget ${budget}`;
    note(
      `… goes on after ${data.used_tokens} tokens\n     → svc cat ${quoted(address)}${again} --cursor ${data.next_cursor}`,
    );
  }
}

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .option("--anchors", "each block with its id, to be written back with svc write")
    .option("--front-matter", "with the document's properties first")
    .option("--outline", "only the headings, with their ids")
    .option("--budget <tokens>", "as much as fits into so many tokens", wholeNumber(1, 200_000))
    .option("--cursor <cursor>", "go on where the last part ended")
    .option("--around <block id>", "begin with this block and grow to both sides")
    .option("--section <heading>", "only the section of this heading, named by its text or block id")
    .option("--block <block id>", "only this block")
    .option("--at <seq>", "as an earlier version, see svc history", wholeNumber(1))
    .option("--locale <tag>", "its version in this language")
    .addOption(new Option("--format <format>", "another form of the body").choices(["markdown", "html", "tiptap-json"]))
    .action(run);
}
