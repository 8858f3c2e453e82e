import assert from "node:assert/strict";
import { test } from "node:test";
import { type EditOf, edits, pages } from "@svc/document/edit-markdown/testing/random-edits";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { serialiseBody } from "@svc/document/markdown/serialise";
import fc from "fast-check";
import { assertStatus, Client } from "../../server/test/support/client.ts";
import { makeDocument } from "../../server/test/support/fixtures.ts";
import { onEachDatabase } from "../../server/test/support/world.ts";
import { Agent } from "./support/agent.ts";

const RUNS = Number(process.env.SVC_TEST_EDITS ?? 25);
const SEED = Number(process.env.SVC_TEST_SEED ?? 47);

/** In the style of the service, which is the text that edits are made of. */
const written = (text: string): string => serialiseBody(parseMarkdown(text)).text;

const ANY = { headers: { "if-match": "*" } };

interface Edit {
  readonly old: string;
  readonly new: string;
}

/** Makes edits of a document; says whether they were accepted. */
type Door = (documentId: string, edits: readonly Edit[]) => Promise<boolean>;

onEachDatabase("text edits", (world) => {
  const markdownOf = async (client: Client, id: string): Promise<string> =>
    (await client.get(`/documents/${id}/content?format=markdown`)).text;
  const htmlOf = async (client: Client, id: string): Promise<string> =>
    (await client.get(`/documents/${id}/content?format=html`)).text.replaceAll(/ id="[^"]*"/g, "");

  /** Edits of one text that do not meet each other, each of which occurs once. */
  function chooseEdits(text: string, all: readonly EditOf[]): Edit[] {
    const chosen: Edit[] = [];
    let rest = text;
    for (const editOf of all) {
      const edit = editOf(text);
      if (edit.old === "" || edit.old === edit.new || rest.split(edit.old).length !== 2) continue;
      const next = rest.replace(edit.old, () => edit.new);
      if (chosen.some(({ old }) => edit.old.includes(old) || old.includes(edit.old))) continue;
      chosen.push(edit);
      rest = next;
    }
    return chosen;
  }

  /** The text after edits, each of the page that the ones before it made. */
  async function rewritten(client: Client, text: string, all: readonly Edit[]): Promise<string | undefined> {
    const { id } = await makeDocument(client, { text });
    for (const { old, new: by } of all) {
      const now = await markdownOf(client, id);
      if (now.split(old).length !== 2) return undefined;
      const content = { format: "markdown", content: written(now.replace(old, () => by)) };
      if ((await client.put(`/documents/${id}/content`, content, ANY)).status !== 200) return undefined;
    }
    return htmlOf(client, id);
  }

  async function compare(client: Client, door: Door, max: number): Promise<void> {
    const tally = { accepted: 0, refused: 0 };
    const property = fc.asyncProperty(pages, fc.array(edits, { minLength: max, maxLength: max }), async (page, all) => {
      const { id } = await makeDocument(client, { text: written(page) });
      const text = await markdownOf(client, id);
      const chosen = chooseEdits(text, all);
      if (chosen.length === 0) return;
      const before = await htmlOf(client, id);
      if (await door(id, chosen)) {
        const expected = await rewritten(client, text, chosen);
        if (expected === undefined) return;
        assert.equal(await htmlOf(client, id), expected, JSON.stringify({ text, chosen }));
        tally.accepted++;
      } else {
        assert.equal(await htmlOf(client, id), before);
        tally.refused++;
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
    assert.ok(tally.accepted >= RUNS / 4, JSON.stringify(tally));
  }

  const operationsOf = (all: readonly Edit[]) => all.map((edit) => ({ op: "edit_markdown", ...edit }));
  const refusals = ["edit_changes_structure", "text_not_found", "text_ambiguous"];
  const isRefusal = (code: unknown): boolean => {
    assert.ok(refusals.includes(String(code)), String(code));
    return false;
  };

  const batch =
    (client: Client): Door =>
    async (id, all) => {
      const body = { base_version: "*", operations: operationsOf(all) };
      const reply = await client.post(`/documents/${id}/batch`, body);
      return reply.status === 200 || isRefusal(reply.body?.error?.code);
    };

  test("BLK24 a batch with one edit and with several gives the page that a rewrite of its text gives", async () => {
    const { client } = await world.person();
    await compare(client, batch(client), 1);
    await compare(client, batch(client), 3);
  });

  test("BLK24 an accepted suggestion of edits gives the page that a rewrite of its text gives", async () => {
    const { client } = await world.person();
    // A suggestion that changes nothing is 200 without the results that the description has for a batch.
    const unchecked = new Client(client.url, client.token, { checked: false });
    const suggest: Door = async (id, all) => {
      const body = { base_version: "*", operations: operationsOf(all) };
      const reply = await unchecked.post(`/documents/${id}/batch?mode=suggest`, body);
      if (reply.status === 200) return true;
      if (reply.status !== 202) return isRefusal(reply.body?.error?.code);
      assertStatus(await client.post(`/suggestions/${reply.data.suggestion_id}/accept`, {}, ANY), 200);
      return true;
    };
    await compare(client, suggest, 2);
  });

  test("BLK24 the tool edit_markdown gives the page that a rewrite of its text gives", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const tool: Door = async (document_id, all) => {
      const answer = await agent.tool("edit_markdown", { document_id, edits: all });
      if (!answer.isError) return true;
      assert.match(answer.text, new RegExp(`\\*\\*(?:${refusals.join("|")})\\*\\*[\\s\\S]*Next: `));
      return false;
    };
    await compare(client, tool, 2);
  });

  test("BLK25 a refused edit names the text that it would change, and how to go on", async () => {
    const { client, token } = await world.person();
    const agent = await Agent.connect(world.url, token);
    const { id: document_id } = await makeDocument(client, { text: "One.\n\nTwo.\n" });
    const refused = await agent.refused("edit_changes_structure", "edit_markdown", {
      document_id,
      old: "One.",
      new: "```\nOne.",
    });
    assert.match(refused, /Next: Extend old and new[\s\S]*"near":\{[^}]*"text":"Two\."/);
  });
});
