import { listAll } from "@svc/sdk";
import { type Command, Option } from "commander";
import { findKnowledgeBase } from "../address/find-knowledge-base.ts";
import { confirmByName } from "../ask.ts";
import { failure } from "../command-error.ts";
import { connect } from "../connect.ts";
import { KNOWLEDGE_BASE, type ServerOptions, SWITCH, withServer } from "../options.ts";
import { counted, print, quoted, shownTime, table } from "../output.ts";
import { defineAccess } from "./kb-access.ts";

async function list(options: ServerOptions): Promise<void> {
  const all = await Array.fromAsync(listAll(connect(options), "/knowledge-bases"));
  print(
    options,
    { knowledge_bases: all },
    table(
      ["ID", "NAME", "DOCUMENTS", "FOLDERS", "CHANGED"],
      all.map((kb) => [`kb:${kb.id}`, kb.name, kb.document_count, kb.folder_count, shownTime(kb.updated_at)]),
    ),
  );
}

/** Two items with one name would have the same path. */
const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.trim().toLowerCase();

async function create(name: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  for await (const { id, name: taken } of listAll(client, "/knowledge-bases"))
    if (sameName(taken, name)) throw failure(`${taken} is there already (kb:${id}).`, `svc ls ${quoted(taken)}`);
  const { data } = await client.post("/knowledge-bases", { body: { name } });
  print(options, data, [`${data.name} (kb:${data.id}) is made.`]);
}

async function rename(kb: string, name: string, options: ServerOptions): Promise<void> {
  const client = connect(options);
  const { id, name: before } = await findKnowledgeBase(client, kb);
  const { data } = await client.patch("/knowledge-bases/{id}", { path: { id }, body: { name } });
  print(options, data, [`${before} is now ${data.name} (kb:${data.id}).`]);
}

interface SettingsOptions extends ServerOptions {
  readonly membersMayComment?: (typeof SWITCH)[number];
}

/** Shows the settings, or changes what is named. */
async function settings(kb: string, { membersMayComment: may, ...options }: SettingsOptions): Promise<void> {
  const client = connect(options);
  const { id, name } = await findKnowledgeBase(client, kb);
  const path = { id };
  const { data } = may
    ? await client.patch("/knowledge-bases/{id}", { path, body: { members_may_comment: may === "on" } })
    : await client.get("/knowledge-bases/{id}", { path });
  const does = data.members_may_comment ? "may" : "may not";
  print(options, data, [`${name} (kb:${id}): its viewers ${does} comment and suggest.`]);
}

async function remove(kb: string, options: ServerOptions & { readonly yes?: boolean }): Promise<void> {
  const client = connect(options);
  const { id, name, confirm_id, document_count } = await findKnowledgeBase(client, kb);
  await confirmByName(`${name} (kb:${id}) goes with ${counted(document_count, "document")}.`, name, options.yes);
  const { data } = await client.delete("/knowledge-bases/{id}", { path: { id }, body: { confirm_id } });
  print(options, data, [`${name} (kb:${id}) is deleted.`]);
}

export function define(kb: Command): void {
  withServer(kb.command("list", { isDefault: true }))
    .description("all knowledge bases (also plain svc kb)")
    .action(list);
  withServer(kb.command("create"))
    .description("make a knowledge base")
    .argument("<name>", "what to call it")
    .action(create);
  withServer(kb.command("rename"))
    .description("give it another name")
    .argument(...KNOWLEDGE_BASE)
    .argument("<name>", "the new name")
    .action(rename);
  withServer(kb.command("delete"))
    .description("delete it with everything in it, for good")
    .argument(...KNOWLEDGE_BASE)
    .option("--yes", "do not ask")
    .action(remove);
  withServer(kb.command("settings"))
    .description("its settings; with options, change them")
    .argument(...KNOWLEDGE_BASE)
    .addOption(
      new Option("--members-may-comment <on|off>", "whether its viewers comment and suggest").choices([...SWITCH]),
    )
    .action(settings);
  defineAccess(kb);
}
