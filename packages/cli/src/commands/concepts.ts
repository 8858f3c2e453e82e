import { type Concept, listAll } from "@svc/sdk";
import type { Command } from "commander";
import { conceptId } from "../address/find-by-name.ts";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { documentId } from "../address/resolve.ts";
import { shortId } from "../address/whole.ts";
import { connect } from "../connect.ts";
import { collect, KNOWLEDGE_BASE, type ServerOptions, withServer } from "../options.ts";
import { note, print, quoted, table } from "../output.ts";
import { defineCandidates } from "./concept-candidates.ts";

interface ListOptions extends ServerOptions {
  readonly matching?: string;
}

async function list(kb: string, options: ListOptions): Promise<void> {
  const client = connect(options);
  const { id } = await findKnowledgeBase(client, kb);
  const query = { knowledge_base_id: id, ...(options.matching !== undefined && { q: options.matching }) };
  const all = await Array.fromAsync(listAll(client, "/concepts", { query }));
  print(
    options,
    { knowledge_base_id: id, concepts: all },
    table(
      ["ID", "NAME", "ALSO", "SOURCES"],
      all.map((one) => [shortId(one.id), one.name, one.aliases.join(", ") || "-", one.source_count]),
    ),
  );
  if (!options.json && all.length === 0) note(`     → svc concepts extract ${quoted(kb)} looks for some`);
}

async function show(text: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const { data } = await client.get("/concepts/{id}", { path: { id: await conceptId(client, text) } });
  const { data: around } = await client.get("/concepts/{id}/traverse", { path: { id: data.id } });
  const names = new Map(around.nodes.map((node) => [node.id, node.name]));
  print(options, data, shownConcept(data, names));
}

const shownConcept = (concept: Concept, names: ReadonlyMap<string, string>): string[] => [
  `${concept.name}  ${concept.uri}`,
  ...(concept.aliases.length > 0 ? [`also      ${concept.aliases.join(", ")}`] : []),
  ...(concept.description ? [`          ${concept.description}`] : []),
  ...concept.labels.map((label) => `${label.locale.padEnd(9)} ${label.name}`),
  ...concept.relations.map((one) => {
    const other = one.direction === "outgoing" ? one.target_concept_id : one.source_concept_id;
    return `relation  ${one.direction === "outgoing" ? one.predicate : `${one.predicate} (from)`} ${names.get(other) ?? other}`;
  }),
  ...moreThan("relations", concept.relations, concept.relation_count),
  ...concept.sources.map(
    (one) => `source    ${one.document_id}${one.block_id ? `#${one.block_id}` : ""} (${one.freshness})`,
  ),
  ...moreThan("sources", concept.sources, concept.source_count),
];

/** Counts the earlier entries: the API returns only the latest ones with a concept. */
const moreThan = (what: string, shown: readonly unknown[], count: number): string[] =>
  count > shown.length ? [`          and ${count - shown.length} earlier ${what}`] : [];

interface CreateOptions extends ServerOptions {
  readonly alias?: string[];
  readonly description?: string;
  readonly document?: string;
}

async function create(kb: string, name: string, options: CreateOptions): Promise<void> {
  const client = connect(options);
  const { id } = await findKnowledgeBase(client, kb);
  const document = options.document === undefined ? undefined : await documentId(client, options.document);
  const { data } = await client.post("/concepts", {
    body: {
      knowledge_base_id: id,
      name,
      ...(options.alias && { aliases: options.alias }),
      ...(options.description !== undefined && { description: options.description }),
      ...(document !== undefined && { canonical_document_id: document }),
    },
  });
  print(options, data, [`${data.name} is ${shortId(data.id)}.`]);
}

export function define(concepts: Command): void {
  withServer(concepts.command("list", { isDefault: true }))
    .description("the concepts of a knowledge base (also plain svc concepts <kb>)")
    .argument(...KNOWLEDGE_BASE)
    .option("--matching <text>", "only those whose name or alias matches")
    .action(list);
  withServer(concepts.command("show"))
    .description("one concept with its relations and sources")
    .argument("<concept>", "its id, its name or another name of it")
    .action(show);
  withServer(concepts.command("create"))
    .description("make a concept")
    .argument(...KNOWLEDGE_BASE)
    .argument("<name>", "what it is called")
    .option("--alias <name>", "another name for it; may be given several times", collect)
    .option("--description <text>", "what it means")
    .option("--document <document>", "the document that is about it")
    .action(create);
  defineCandidates(concepts);
}
