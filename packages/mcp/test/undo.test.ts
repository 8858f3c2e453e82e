import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Loose } from "../../server/test/support/client.ts";
import { makeComment, makeConcept, makeDocument, makeFolder } from "../../server/test/support/fixtures.ts";
import { makeTranslation, startTranslator } from "../../server/test/support/translations.ts";
import { onEachDatabase, type Person } from "../../server/test/support/world.ts";
import { schemaOf } from "../src/schema-of.ts";
import { tools } from "../src/tools/index.ts";
import { Agent, valueIn, wholeId } from "./support/agent.ts";

const translator = await startTranslator();
after(translator.stop);

const TEXT = "# Part\n\nOne.\n\n# Rest\n\nTwo.\n";

interface Case {
  readonly call: Loose;
  /** Reads the current state that the call changes. */
  readonly state: () => Promise<unknown>;
  /** The one call that takes it back, made from the answer alone. */
  readonly undo: (text: string) => readonly [tool: string, args: Loose];
  /** The name by which the answer says what was done. */
  readonly title: string;
}

type Make = (agent: Agent, person: Person) => Promise<Case>;

/** The words between a beginning and the end of its line. */
const restOf = (text: string, beginning: string): string => text.split(beginning)[1]?.split("\n")[0] ?? "";
const fencedIn = (text: string): string => /<<(\w+)\n([\s\S]*?)\n\1>>/.exec(text)?.[2] ?? "";
/** `name: A · in: 7/B.` as arguments. */
const factsIn = (text: string): Loose =>
  Object.fromEntries(
    text
      .replace(/\.$/, "")
      .split(" · ")
      .map((fact) => [fact.slice(0, fact.indexOf(": ")), fact.slice(fact.indexOf(": ") + 2)]),
  );

async function page({ client }: Pick<Person, "client">, title = "Page") {
  const { id, knowledge_base_id } = await makeDocument(client, { text: TEXT, title });
  const state = async () => {
    const { data } = await client.get(`/documents/${id}`);
    return [data.title, data.folder_id, data.version, data.properties];
  };
  return { id, knowledge_base_id, state };
}

const textCase =
  (call: (id: string) => Loose): Make =>
  async (_, person) => {
    const { id, state } = await page(person);
    return { title: "Page", call: call(id), state, undo: () => ["roll_back", { document_id: id }] };
  };

async function suggestion(agent: Agent, person: Person) {
  const { id: document_id, state: body } = await page(person);
  const { text } = await agent.ok("edit_markdown", { document_id, old: "One", new: "Uno", suggest: true });
  const suggestion_id = await wholeId(person.client, "suggestion", valueIn(text, "suggestion_id"));
  const status = async () => (await person.client.get(`/suggestions/${suggestion_id}`)).data.status;
  return { document_id, suggestion_id, body, status };
}

async function comment(person: Person) {
  const { document_id } = await makeComment(person.client, { document_id: (await page(person)).id });
  const [{ id }] = (await person.client.get(`/documents/${document_id}/comments`)).data;
  const state = async () => {
    const { status, data } = await person.client.get(`/comments/${id}`);
    return [status, data?.body, data?.reactions];
  };
  return { comment_id: id, state };
}

async function summary(agent: Agent, person: Person, action: string): Promise<Case> {
  const { id: document_id } = await page(person);
  const save = async (text: string) => {
    const read = (await agent.ok("get_summary", { document_id })).text;
    const versions = ["summary_version", "source_version"].map((name) => [name, valueIn(read, name)]);
    return { document_id, action: "save", text, ...Object.fromEntries(versions) };
  };
  await agent.ok("save_summary", await save("First."));
  return {
    title: "",
    call: action === "save" ? await save("Second.") : { document_id, action },
    state: async () => (await person.client.get(`/documents/${document_id}/summary`)).data.text,
    undo: (text) => [
      "save_summary",
      {
        document_id,
        action: "save",
        text: fencedIn(text),
        summary_version: valueIn(text, "summary_version"),
        source_version: valueIn(text, "source_version"),
      },
    ],
  };
}

async function concept({ client }: Person, name: string) {
  const made = await makeConcept(client, { name, aliases: ["Other name"] });
  const state = async () => {
    const { data } = await client.get(`/concepts/${made.id}`);
    return [data.id, data.name, data.aliases, data.description];
  };
  return { ...made, state };
}

async function localized({ client }: Person) {
  const { id: document_id } = await page({ client });
  const body = { source_locale: "en", target_locales: ["es"] };
  const [, target] = (await client.post(`/documents/${document_id}/localization/activate`, body)).data.variants;
  const state = async () => {
    const { status, data } = await client.get(`/documents/${target.document_id}`);
    return [status, data?.title, data?.workflow_status, data?.version];
  };
  const title: string = target.title;
  return { document_id, state, title };
}

/** Every call that takes something away, by its tool and, where it has some, its action or what it is asked for. */
const CASES: Record<string, Record<string, Make>> = {
  edit_markdown: { "": textCase((document_id) => ({ document_id, old: "One", new: "Uno" })) },
  edit_blocks: {
    "": textCase((document_id) => ({
      document_id,
      base_version: "latest",
      operations: [{ op: "delete", block_id: "Part" }],
    })),
  },
  write_document: {
    "": async (_, person) => {
      const { id: document_id, state } = await page(person);
      await person.client.put(`/documents/${document_id}/properties`, { source: "status: draft\n" }, { ifMatch: "*" });
      const call = { document_id, base_version: "latest", markdown: "---\nstatus: done\n---\nNew.\n" };
      const undo = (text: string) =>
        ["roll_back", { document_id, properties: JSON.parse(restOf(text, "roll_back with properties ")) }] as const;
      return { title: "Page", call, state, undo };
    },
  },
  roll_back: {
    "": async (agent, person) => {
      const { id: document_id, state } = await page(person);
      await agent.ok("edit_markdown", { document_id, old: "One", new: "Uno" });
      return { title: "Page", call: { document_id }, state, undo: () => ["roll_back", { document_id }] };
    },
  },
  move_section: {
    "": async (_, person) => {
      const { id: document_id, state } = await page(person);
      const { id: target_document_id, state: target } = await page(person, "Goal");
      const named = ["document_id", "section", "target_document_id", "after"];
      return {
        title: "Goal",
        call: { document_id, section: "Part", target_document_id },
        state: async () => [await state(), await target()],
        undo: (text) => {
          const args = restOf(text, "Undo: move_section ");
          const value = (name: string) => new RegExp(`(?:^|, )${name} ([^,]+)`).exec(args)?.[1];
          return ["move_section", Object.fromEntries(named.map((name) => [name, value(name)]))];
        },
      };
    },
  },
  organize: {
    rename_knowledge_base: async (_, { client }) => {
      const { id: knowledge_base_id } = (await client.post("/knowledge-bases", { name: "Old base" })).data;
      const action = "rename_knowledge_base";
      return {
        title: "Old base",
        call: { action, knowledge_base_id, name: "New base" },
        state: async () => (await client.get(`/knowledge-bases/${knowledge_base_id}`)).data.name,
        undo: (text) => ["organize", { action, knowledge_base_id, ...factsIn(restOf(text, `Undo: ${action} with `)) }],
      };
    },
    change_folder: async (_, { client }) => {
      const { id: parent_id, knowledge_base_id } = await makeFolder(client, { name: "Outer" });
      const { id: folder_id } = await makeFolder(client, { name: "Inner", knowledge_base_id, parent_id });
      const action = "change_folder";
      return {
        title: "Inner",
        call: { action, folder_id, name: "Moved", in: String(knowledge_base_id) },
        state: async () => {
          const { data } = await client.get(`/folders/${folder_id}`);
          return [data.name, data.parent_id];
        },
        undo: (text) => ["organize", { action, folder_id, ...factsIn(restOf(text, `Undo: ${action} with `)) }],
      };
    },
    change_document: async (_, person) => {
      const { id: document_id, state, knowledge_base_id } = await page(person);
      const { id: folder_id } = await makeFolder(person.client, { name: "Goal", knowledge_base_id });
      assert.ok(folder_id);
      const action = "change_document";
      return {
        title: "Page",
        call: { action, document_id, name: "Renamed", in: `${knowledge_base_id}/Goal` },
        state,
        undo: (text) => ["organize", { action, document_id, ...factsIn(restOf(text, `Undo: ${action} with `)) }],
      };
    },
    delete_document: async (_, person) => {
      const { id: document_id, state } = await page(person);
      return {
        title: "Page",
        call: { action: "delete_document", document_id },
        state: async () => state().catch(() => "gone"),
        undo: (text) => ["organize", { action: "restore", trash_id: valueIn(text, "trash_id") }],
      };
    },
    delete_folder: async (_, { client }) => {
      const { id: folder_id } = await makeFolder(client, { name: "Doomed" });
      return {
        title: "Doomed",
        call: { action: "delete_folder", folder_id },
        state: async () => (await client.get(`/folders/${folder_id}`)).data?.name ?? "gone",
        undo: (text) => ["organize", { action: "restore", trash_id: valueIn(text, "trash_id") }],
      };
    },
    delete_file: async (agent, { client }) => {
      const { id: document_id } = await makeDocument(client, { text: TEXT, title: "Page" });
      const { text } = await agent.ok("upload_file", { document_id, file_name: "a.txt", text: "a" });
      await agent.ok("edit_markdown", { document_id, new: restOf(text, "it is: ") });
      const shown = ({ file_name, reference_count }: Loose) => [file_name, reference_count];
      return {
        title: "a.txt",
        call: { action: "delete_file", document_id, file: "a.txt", force: true },
        state: async () => (await client.get(`/documents/${document_id}/attachments`)).data.map(shown),
        undo: (text) => ["organize", { action: "restore", trash_id: valueIn(text, "trash_id") }],
      };
    },
  },
  decide_suggestion: {
    accept: async (agent, person) => {
      const { document_id, suggestion_id, body } = await suggestion(agent, person);
      const undo = () => ["roll_back", { document_id }] as const;
      return { title: "Page", call: { suggestion_id, accept: true }, state: body, undo };
    },
    reject: async (agent, person) => {
      const { suggestion_id, status } = await suggestion(agent, person);
      const undo = () => ["decide_suggestion", { suggestion_id, undo: true }] as const;
      return { title: "Page", call: { suggestion_id, accept: false }, state: status, undo };
    },
  },
  withdraw_suggestion: {
    "": async (agent, person) => {
      const { suggestion_id, status } = await suggestion(agent, person);
      const undo = () => ["withdraw_suggestion", { suggestion_id, undo: true }] as const;
      return { title: "Page", call: { suggestion_id }, state: status, undo };
    },
  },
  change_comment: {
    text: async (_, person) => {
      const { comment_id, state } = await comment(person);
      return {
        title: "Page",
        call: { comment_id, text: "Other words." },
        state,
        undo: (text) => ["change_comment", { comment_id, text: fencedIn(text) }],
      };
    },
    delete: async (_, person) => {
      const { comment_id, state } = await comment(person);
      const undo = () => ["change_comment", { comment_id, restore: true }] as const;
      return { title: "Page", call: { comment_id, delete: true }, state, undo };
    },
    remove_reaction: async (agent, person) => {
      const { comment_id, state } = await comment(person);
      await agent.ok("change_comment", { comment_id, reaction: "👍" });
      const undo = (text: string) => ["change_comment", { comment_id, reaction: restOf(text, "reaction ") }] as const;
      return { title: "", call: { comment_id, remove_reaction: "👍" }, state, undo };
    },
  },
  change_relations: {
    remove: async (agent, person) => {
      const { id: source_document_id } = await page(person, "Source");
      const { id: target } = await page(person, "Target");
      const added = { action: "add", source_document_id, source_block_id: "Part", predicate: "supports" };
      const { data } = await agent.ok("change_relations", { ...added, target_uri: `svc://doc/${target}` });
      const named = ["action", "source_document_id", "source_block_id", "predicate", "target_uri"];
      return {
        title: "Source",
        call: { action: "remove", relation_id: data.relation_id },
        state: async () => {
          const list = (await person.client.get(`/documents/${source_document_id}/relations`)).data;
          return list.map((one: Loose) => [one.source_block_id, one.predicate, one.target_uri]);
        },
        undo: (text) => ["change_relations", Object.fromEntries(named.map((name) => [name, valueIn(text, name)]))],
      };
    },
  },
  save_summary: {
    save: (agent, person) => summary(agent, person, "save"),
    rebuild: (agent, person) => summary(agent, person, "rebuild"),
  },
  change_concepts: {
    change: async (_, person) => {
      const { id: concept_id, version, state } = await concept(person, "Concept");
      const was = (text: string) => JSON.parse(restOf(text, "this version and "));
      return {
        title: "Renamed",
        call: { action: "change", concept_id, version, name: "Renamed", aliases: [] },
        state,
        undo: (text) => [
          "change_concepts",
          { action: "change", concept_id, version: valueIn(text, "version"), ...was(text) },
        ],
      };
    },
    merge: async (_, person) => {
      const { id: concept_id, version, state, knowledge_base_id } = await concept(person, "Kept");
      const gone = await makeConcept(person.client, { name: "Gone", knowledge_base_id });
      return {
        title: "Gone",
        call: { action: "merge", concept_id, version, source_concept_id: gone.id, source_version: gone.version },
        state: async () => [await state(), (await person.client.get(`/concepts/${gone.id}`)).data.name],
        undo: (text) => ["change_concepts", { action: "unmerge", concept_id, version: valueIn(text, "version") }],
      };
    },
    reject_candidate: async (agent, person) => {
      const { knowledge_base_id } = await page(person, "Proposed");
      await agent.ok("change_concepts", { action: "extract_candidates", knowledge_base_id });
      const list = async () =>
        (await person.client.get(`/concept-candidates?knowledge_base_id=${knowledge_base_id}`)).data;
      const [{ id: candidate_id, version }] = await list();
      return {
        title: "Proposed",
        call: { action: "reject_candidate", candidate_id, version },
        state: async () => (await list())[0]?.status,
        undo: (text) => [
          "change_concepts",
          { action: "reopen_candidate", candidate_id, version: valueIn(text, "version") },
        ],
      };
    },
  },
  change_translations: {
    change_version: async (_, person) => {
      const { document_id, state } = await localized(person);
      const action = "change_version";
      const was = (text: string) => factsIn(restOf(text, `Undo: ${action} with `));
      return {
        title: "Cambiado",
        call: { action, document_id, locale: "es", title: "Cambiado", workflow_status: "published" },
        state,
        undo: (text) => ["change_translations", { action, document_id, locale: "es", ...was(text) }],
      };
    },
    delete_version: async (_, person) => {
      const { document_id, state, title } = await localized(person);
      return {
        title,
        call: { action: "delete_version", document_id, locale: "es" },
        state,
        undo: (text) => ["organize", { action: "restore", trash_id: valueIn(text, "trash_id") }],
      };
    },
    apply_job: async (_, { client }) => {
      const { target, translated } = await makeTranslation(client, "One");
      const job = await translated();
      const { data } = await client.get(target);
      return {
        title: data.title,
        call: { action: "apply_job", job_id: job.id, target_version: data.version },
        state: async () => (await client.get(target)).data.version,
        undo: (text) => ["roll_back", { document_id: valueIn(text, "target_document_id") }],
      };
    },
  },
};

/** Actions of those tools that only add, that are themselves an undo, or that cannot be undone (MCP67). */
const OTHERS: Record<string, readonly string[]> = {
  organize: ["create_knowledge_base", "create_folder", "restore"],
  change_relations: ["add"],
  change_concepts: [
    "create",
    "add_evidence",
    "relate",
    "unmerge",
    "extract_candidates",
    "accept_candidate",
    "reopen_candidate",
  ],
  change_translations: ["activate", "add_version", "start_job", "review_unit"],
};

const actionsOf = (tool: (typeof tools)[number]): readonly string[] =>
  (schemaOf(tool.input, tool.hidden).properties?.action?.enum ?? []).map(String);

onEachDatabase(
  "MCP undo",
  (world) => {
    test("MCP67 every tool that may take something away has a call that undoes it, for each of its actions", () => {
      const destructive = tools.filter((tool) => tool.destructive);
      assert.deepEqual(destructive.map(({ name }) => name).sort(), Object.keys(CASES).sort());
      for (const tool of destructive) {
        const known = [...Object.keys(CASES[tool.name] ?? {}), ...(OTHERS[tool.name] ?? [])];
        if (actionsOf(tool).length > 0) assert.deepEqual([...actionsOf(tool)].sort(), known.sort(), tool.name);
      }
    });

    for (const [tool, cases] of Object.entries(CASES))
      for (const [name, make] of Object.entries(cases))
        test(`MCP67 ${tool} ${name} says by name what it did, and one call undoes it`, async () => {
          const person = await world.person();
          const agent = await Agent.connect(world.url, person.token);
          const { call, state, undo, title } = await make(agent, person);
          const before = await state();
          const { text } = await agent.ok(tool, call);
          assert.ok(text.includes(title), text);
          const { description } = tools.find((each) => each.name === tool)!;
          assert.match(`${description}\n${text}`, /Undo:\s\w/);
          assert.notDeepEqual(await state(), before, "it changed something");
          await agent.ok(...undo(text));
          assert.deepEqual(await state(), before);
          await agent.close();
        });
  },
  translator.settings,
);
