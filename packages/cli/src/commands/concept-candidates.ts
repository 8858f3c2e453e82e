import { type Client, listAll } from "@svc/sdk";
import { type Command, Option } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { CommandError } from "../command-error.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { KNOWLEDGE_BASE, type ServerOptions, withServer } from "../options.ts";
import { counted, note, print, quoted, table } from "../output.ts";

async function extract(kb: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const { id } = await findKnowledgeBase(client, kb);
  const { data } = await client.post("/concept-candidates/extract", { body: { knowledge_base_id: id } });
  print(options, data, [`${counted(data.created, "candidate")} found, ${data.refreshed} found again.`]);
  if (!options.json) note(`     → svc concepts candidates ${quoted(kb)}`);
}

const STATUSES = ["pending", "accepted", "rejected"] as const;

async function candidates(kb: string, options: ServerOptions & { readonly status: (typeof STATUSES)[number] }) {
  const client = connect(options);
  const { id } = await findKnowledgeBase(client, kb);
  const query = { knowledge_base_id: id, status: options.status };
  const all = await Array.fromAsync(listAll(client, "/concept-candidates", { query }));
  print(
    options,
    { knowledge_base_id: id, candidates: all },
    table(
      ["ID", "NAME", "FROM", "DOCUMENT", "FRESHNESS"],
      all.map((one) => [one.id, one.name, one.kind, one.source_document_id, one.freshness]),
    ),
  );
}

interface AcceptOptions extends ServerOptions {
  readonly name?: string;
  readonly into?: string;
}

/** The version that the decision is about comes with the candidate, which is only listed. */
async function versionOf(client: Client, id: string): Promise<string> {
  for await (const one of listAll(client, "/concept-candidates", { query: { limit: 100 } }))
    if (one.id === id) return one.version;
  throw new CommandError(EXIT.notFound, `There is no candidate ${id}.`, { next: ["svc concepts candidates <kb>"] });
}

async function accept(id: string, options: AcceptOptions): Promise<void> {
  const client = connect(options);
  const body = {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.into !== undefined && { concept_id: options.into }),
  };
  const ifMatch = await versionOf(client, id);
  const { data } = await client.post("/concept-candidates/{id}/accept", { path: { id }, ifMatch, body });
  print(options, data, [`${data.name} is the concept ${data.concept_id}.`]);
}

async function reject(id: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const ifMatch = await versionOf(client, id);
  const { data } = await client.post("/concept-candidates/{id}/reject", { path: { id }, ifMatch });
  print(options, data, [`${data.name} is rejected and will not be proposed again.`]);
}

async function reopen(id: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const ifMatch = await versionOf(client, id);
  const { data } = await client.post("/concept-candidates/{id}/reopen", { path: { id }, ifMatch });
  print(options, data, [`${data.name} waits for a decision again.`]);
}

/** The part of `svc concepts` that decides what becomes one. */
export function defineCandidates(concepts: Command): void {
  withServer(concepts.command("extract"))
    .description("look for candidates in titles and links")
    .argument(...KNOWLEDGE_BASE)
    .action(extract);
  withServer(concepts.command("candidates"))
    .description("what was found and waits for a decision")
    .argument(...KNOWLEDGE_BASE)
    .addOption(new Option("--status <status>", "those that are").choices(STATUSES).default("pending"))
    .action(candidates);
  withServer(concepts.command("accept"))
    .description("make a candidate a concept")
    .argument("<candidate id>", "cand_…")
    .option("--name <name>", "under another name")
    .option("--into <concept id>", "as a part of this concept")
    .action(accept);
  withServer(concepts.command("reject"))
    .description("let a candidate be: it is not proposed again")
    .argument("<candidate id>", "cand_…")
    .action(reject);
  withServer(concepts.command("reopen"))
    .description("take a rejection back")
    .argument("<candidate id>", "cand_…")
    .action(reopen);
}
