import assert from "node:assert/strict";
import { before, test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { makeDocument, makeFolder } from "../../server/test/support/fixtures.ts";
import { onEachDatabase, type Person } from "../../server/test/support/world.ts";
import { Agent, type Answer, valueIn } from "./support/agent.ts";

const sentence = (n: number): string =>
  `Sentence ${n} tells how the service keeps its ledger, reviews it and moves on.`;
const many = (count: number, make: (n: number) => string, between = "\n\n"): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(between);

/** Texts of several kinds, each longer than every budget here. */
const TEXTS: Readonly<Record<string, string>> = {
  paragraphs: many(120, sentence),
  "one long paragraph": many(300, sentence, " "),
  "a list": many(400, (n) => `- item ${n}: ${n * 7} units`, "\n"),
  "a table": `| part | price | unit |\n| --- | --- | --- |\n${many(300, (n) => `| part-${n} | ${n * 3} | piece |`, "\n")}`,
  code: `\`\`\`ts\n${many(300, (n) => `const value${n} = await compute(${n}, { retries: ${n % 5} });`, "\n")}\n\`\`\``,
  headings: many(200, (n) => `${"#".repeat((n % 3) + 1)} Heading number ${n}\n\n${sentence(n)}`),
  German: many(120, (n) => `Satz ${n} erklärt, wie der Dienst seine Bücher führt und warum er sie später prüft.`),
  Chinese: many(120, (n) => `第${n}句话说明服务如何保存它的账本，并在之后进行检查。`),
};
const BUDGETS = [150, 400, 1500];

onEachDatabase("MCP budgets", (world) => {
  let person: Person;
  let agent: Agent;
  let folder: { id: number; knowledge_base_id: number };
  before(async () => {
    person = await world.person();
    agent = await Agent.connect(world.url, person.token);
    folder = await makeFolder(person.client, { name: "Budgets" });
    for (const [title, text] of Object.entries(TEXTS))
      await makeDocument(person.client, {
        title,
        text,
        knowledge_base_id: folder.knowledge_base_id,
        folder_id: folder.id,
      });
  });

  /** The whole answer, the fence and the structure included, in tokens of a real tokeniser. */
  const tokensOf = ({ text, data }: Answer): number =>
    encode(text).length + (Object.keys(data).length === 0 ? 0 : encode(JSON.stringify(data)).length);
  const assertWithin = async (tool: string, args: Record<string, unknown>, budget: number): Promise<Answer> => {
    const answer = await agent.raw(tool, { ...args, max_tokens: budget });
    assert.equal(answer.isError, false, answer.text);
    const tokens = tokensOf(answer);
    assert.ok(tokens <= budget * 1.05, `${tool} ${JSON.stringify(args)}: ${tokens} of ${budget}\n${answer.text}`);
    return answer;
  };

  test("MCP66 reading holds its budget within a twentieth, in every view, and uses most of it", async () => {
    for (const [title, text] of Object.entries(TEXTS))
      for (const budget of BUDGETS) {
        for (const view of ["markdown", "outline", "blocks", "plain_text"])
          await assertWithin("read_document", { document_id: title, view }, budget);
        await assertWithin("read_document", { document_id: title, anchors: true }, budget);
        const read = await assertWithin("read_document", { document_id: title }, budget);
        assert.ok(tokensOf(read) >= budget * 0.5, `${title}: ${tokensOf(read)} of ${budget} for ${text.length}`);
      }
  });

  test("MCP66 what is read in parts is the whole, also a paragraph longer than the budget", async () => {
    let from: string | undefined;
    let whole = "";
    do {
      const args = { document_id: "one long paragraph", max_tokens: 1000, ...(from !== undefined && { from }) };
      const { text } = await agent.ok("read_document", args);
      from = text.includes("There is more") ? valueIn(text, "from") : undefined;
      whole += text.split("\n")[2];
    } while (from);
    assert.equal(whole, TEXTS["one long paragraph"]);
  });

  test("MCP66 a budget that holds hardly anything says where to go on, block by block to the end", async () => {
    const text = "# A heading of some words\n\nOne.\n\nTwo.\n\nThree.\n";
    const { id } = await makeDocument(person.client, { title: "Small", text });
    const seen: string[] = [];
    for (let from: string | undefined, rounds = 0; rounds === 0 || from !== undefined; rounds++) {
      assert.ok(rounds < 20);
      const args = { document_id: id, max_tokens: 50, ...(from !== undefined && { from }) };
      const answer = (await agent.ok("read_document", args)).text;
      from = answer.includes("There is more") ? valueIn(answer, "from") : undefined;
      seen.push(
        answer
          .split("\n\n")
          .slice(1)
          .join("\n\n")
          .replace(/\nThere is more.*$/, ""),
      );
    }
    assert.equal(seen.join("").replace(/\s+/g, ""), text.replace(/\s+/g, ""));
  });

  test("MCP66 overviews, trees and changes hold theirs", async () => {
    for (const budget of BUDGETS) {
      await assertWithin("browse", { folder_id: folder.id }, budget);
      await assertWithin("browse", { folder_id: folder.id, summaries: true }, budget);
      await assertWithin("browse", { knowledge_base_id: folder.knowledge_base_id, depth: 3 }, budget);
      await assertWithin("get_changes", { since: "1d" }, budget);
      for (const query of ["service ledger", "item units", "part piece", "账本"])
        await assertWithin("search", { query, limit: 20 }, budget);
    }
  });

  test("MCP66 a search offers its next page only when it shows the whole of this one", async () => {
    const cut = await assertWithin("search", { query: "item units", limit: 20 }, 150);
    assert.match(cut.text, /more hits of these/);
    assert.doesNotMatch(cut.text, /cursor/);
    const whole = await assertWithin("search", { query: "item units", limit: 1 }, 200);
    assert.match(whole.text, /cursor: \S{40,}/);
    assert.doesNotMatch(whole.text, /of these/);
  });
});
