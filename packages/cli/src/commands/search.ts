import { styleText } from "node:util";
import { defined } from "@svc/document/defined";
import { type Answer, type Client, listPages, type SearchHit } from "@svc/sdk";
import { type Command, Option } from "commander";
import { resolvePlace } from "../address/resolve.ts";
import { locationOf } from "../address/target.ts";
import { connect } from "../connect.ts";
import { collect, type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { counted, note, print } from "../output.ts";
import { propertyQuery } from "../property-options.ts";

interface Options extends ServerOptions {
  readonly in?: string;
  readonly limit: number;
  readonly all?: boolean;
  readonly locale?: string;
  readonly summaries?: boolean;
  readonly blocks?: boolean;
  readonly comments?: boolean;
  readonly type?: "document" | "file" | "all";
  readonly property?: readonly string[];
  readonly author?: string;
  readonly tag?: string;
}

const PAGE = 100;
type Found = Pick<Answer<"/search/v2">, "hits" | "projection">;

async function run(words: readonly string[], options: Options): Promise<void> {
  const client = connect(options);
  const { hits, counts } = await find(client, words.join(" "), options);
  print(options, { hits, counts: counts.hits, projection: counts.projection }, hits.flatMap(shownHit));
  if (!counts.projection.complete)
    note(`${counted(counts.projection.stale_count, "document")} not yet searched in the newest version.`);
  if (!options.json && hits.length < counts.hits.total)
    note(`${hits.length} of ${counts.hits.total} shown\n     → add --limit ${counts.hits.total} or --all`);
  if (!options.json && hits.length === 0) note("Nothing found.");
}

async function find(client: Client, q: string, options: Options) {
  const query = {
    q,
    mode: options.all ? ("exhaustive" as const) : ("topk" as const),
    limit: options.all ? PAGE : Math.min(PAGE, options.limit),
    ...(await filterOf(client, options.in)),
    ...(options.locale !== undefined && { locale: options.locale }),
    ...(options.summaries && { include_summary: true }),
    ...(options.blocks && { include_block: true }),
    ...(options.author !== undefined && { author: options.author }),
    ...(options.tag !== undefined && { tag: options.tag }),
    ...(options.comments && { in: "comments" as const }),
    ...(options.type !== undefined && { type: options.type }),
    ...propertyQuery(options.property),
  };
  const wanted = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const hits: SearchHit[] = [];
  let counts: Found | undefined;
  for await (const page of listPages(client, "/search/v2", { query })) {
    counts ??= page;
    hits.push(...page.data.slice(0, wanted - hits.length));
    if (hits.length >= wanted) break;
  }
  return { hits, counts: defined(counts) };
}

async function filterOf(client: Client, text: string | undefined) {
  if (text === undefined) return {};
  const place = await resolvePlace(client, text, "knowledge_base", "folder", "document");
  if (place.kind === "document") return { document_id: place.id };
  const { knowledge_base_id, folder_id } = locationOf(place);
  return folder_id === null ? { knowledge_base_id } : { knowledge_base_id, folder_id };
}

function shownHit(hit: SearchHit): string[] {
  const { before, match, after } = hit.context;
  const bold = (text: string) => styleText("bold", text, { stream: process.stdout });
  const part = `${before}${bold(match)}${after}`.replace(/\s+/g, " ").trim();
  const shown = hit.block ? hit.block.split("\n") : [part];
  const summary = hit.summary ? [`    ${hit.summary.text.replace(/\s+/g, " ").trim()}`] : [];
  return [
    bold([hit.path_text, ...hit.heading_path].join(" › ")),
    ...shown.map((line) => `    ${line}`),
    ...summary,
    ...(hit.attachment_id === undefined ? [] : [fileLine(hit)]),
    ...(hit.missing.length > 0 ? [`    not found: ${hit.missing.join(", ")}`] : []),
    `    ${hit.document_uri}${hit.block_id && !hit.document_uri.includes("#") ? `#block=${hit.block_id}` : ""}`,
  ];
}

const fileLine = ({ file_name, attachment_id, page }: SearchHit): string =>
  `    in ${file_name}${page ? `, page ${page}` : ""}  ${attachment_id}`;

export function define(command: Command): void {
  withServer(command)
    .argument("<words...>", `what to look for: words, "a phrase", begin*, -not`)
    .option("--in <place>", "only in this knowledge base, folder or document")
    .option("--limit <hits>", "how many at most", wholeNumber(1, 10_000), 10)
    .option("--all", "every block with all the words, in the order of the index")
    .option("--author <user>", "documents that this person (a user id) made or changed last")
    .option("--tag <tag>", "documents with this tag")
    .option("--locale <tag>", "documents in this language, or all")
    .option("--property <name=value>", "only documents with this property; may be repeated", collect)
    .option("--blocks", "the whole block of each hit instead of a part of it")
    .option("--summaries", "with each document's summary")
    .addOption(new Option("--type <type>", "pages, the text of files, or both").choices(["document", "file", "all"]))
    .option("--comments", "in comments, the newest first, instead of in texts and titles")
    .addHelpText("after", "\nQuote what has a minus in it: svc search 'penguin -zoo'.")
    .action(run);
}
