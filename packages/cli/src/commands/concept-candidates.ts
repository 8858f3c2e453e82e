import { listAll } from "@svc/sdk";
import { type Command, Option } from "commander";
import { conceptId, findCandidate } from "../address/find-by-name.ts";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { shortId } from "../address/whole.ts";
import { connect } from "../connect.ts";
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
      all.map((one) => [shortId(one.id), one.name, one.kind, shortId(one.source_document_id), one.freshness]),
    ),
  );
}

interface AcceptOptions extends ServerOptions {
  readonly name?: string;
  readonly into?: string;
}

async function accept(text: string, options: AcceptOptions): Promise<void> {
  const client = connect(options);
  const { id, version: ifMatch } = await findCandidate(client, text, "pending");
  const body = {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.into !== undefined && { concept_id: await conceptId(client, options.into) }),
  };
  const { data } = await client.post("/concept-candidates/{id}/accept", { path: { id }, ifMatch, body });
  print(options, data, [`${data.name} is the concept ${shortId(data.concept_id ?? "")}.`]);
}

async function reject(text: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const { id, version: ifMatch } = await findCandidate(client, text, "pending");
  const { data } = await client.post("/concept-candidates/{id}/reject", { path: { id }, ifMatch });
  print(options, data, [`${data.name} is rejected and will not be proposed again.`]);
}

async function reopen(text: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const { id, version: ifMatch } = await findCandidate(client, text, "rejected");
  const { data } = await client.post("/concept-candidates/{id}/reopen", { path: { id }, ifMatch });
  print(options, data, [`${data.name} waits for a decision again.`]);
}

const CANDIDATE = ["<candidate>", "its id as svc concepts candidates shows it, or its name"] as const;

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
    .argument(...CANDIDATE)
    .option("--name <name>", "under another name")
    .option("--into <concept>", "as a part of this concept: its id or name")
    .action(accept);
  withServer(concepts.command("reject"))
    .description("let a candidate be: it is not proposed again")
    .argument(...CANDIDATE)
    .action(reject);
  withServer(concepts.command("reopen"))
    .description("take a rejection back")
    .argument(...CANDIDATE)
    .action(reopen);
}
