import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { idFor } from "@svc/document/testing/builders";
import type { Loose } from "../client.ts";
import { chance, pick, type Random } from "../random.ts";
import type { Answer, Block, Edit, Request } from "./document-model.ts";
import { now, type Recorder } from "./recorder.ts";
import { type Got, type Sent, sendOnce } from "./send.ts";

interface ClientOptions {
  readonly name: string;
  /** Makes the ids of its blocks different from those of other clients. */
  readonly number: number;
  readonly url: string;
  readonly token: string;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly documents: readonly string[];
  readonly knowledgeBaseId: number;
}

/** A client's last knowledge of a document. */
interface Known {
  version: string;
  blocks: readonly Block[];
}

type Headers = Record<string, string>;

const MAX_TRIES = 12;
const paragraph = ({ id, text }: Block) => ({
  type: "paragraph",
  ...(id !== "?" && { attrs: { id } }),
  content: [{ type: "text", text }],
});
const ownId = /^block_00000/;
export const blocksOf = (nodes: Loose[]): Block[] =>
  nodes.map((node) => ({ id: ownId.test(node.attrs.id) ? node.attrs.id : "?", text: node.content?.[0]?.text ?? "" }));

/** Works on the documents at random, sends again what got no answer, and records what it saw. */
export class HistoryClient {
  readonly #options: ClientOptions;
  readonly #known = new Map<string, Known>();
  #serial = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.#step();
      await sleep(this.#options.random(8));
    }
  }

  async #step(): Promise<void> {
    const { random, documents } = this.#options;
    const id = pick(random, documents);
    const known = this.#known.get(id);
    if (!known || chance(random, 25)) return this.#read(id, chance(random, 30) ? known?.version : undefined);
    if (chance(random, 5)) return this.#create();
    const expected = chance(random, 70) ? known.version : undefined;
    switch (random(6)) {
      case 0:
      case 1:
        return this.#put(id, known);
      case 2:
      case 3:
        return this.#append(id, expected);
      case 4:
        return this.#batch(id, known);
      default:
        return this.#changeOne(id, known, expected);
    }
  }

  #text(): string {
    return `${this.#options.name}-${++this.#serial}`;
  }

  #newBlock(): Block {
    const text = this.#text();
    return { id: idFor(this.#options.number * 100_000 + this.#serial), text };
  }

  #put(id: string, known: Known): Promise<void> {
    const blocks = [...known.blocks.filter((block) => block.id !== "?").slice(-3), this.#newBlock()];
    const body = { format: "tiptap-json", document: { type: "doc", content: blocks.map(paragraph) } };
    const sent = { method: "PUT", path: `/documents/${id}/content`, body };
    return this.#write(id, sent, [{ put: blocks }], known.version);
  }

  #append(id: string, expected: string | undefined): Promise<void> {
    const block = { id: "?", text: this.#text() };
    const body = { position: { document_end: true }, nodes: [paragraph(block)] };
    return this.#write(id, { method: "POST", path: `/documents/${id}/blocks`, body }, [{ append: block }], expected);
  }

  #batch(id: string, known: Known): Promise<void> {
    const edits: Edit[] = [{ append: this.#newBlock() }];
    const target = known.blocks.find((block) => block.id !== "?");
    if (target) edits.push(chance(this.#options.random, 50) ? { remove: target.id } : this.#replacement(target));
    edits.push({ append: { id: "?", text: this.#text() } });
    const operations = edits.map((edit) => {
      if ("append" in edit) return { op: "insert", position: { document_end: true }, nodes: [paragraph(edit.append)] };
      if ("remove" in edit) return { op: "delete", block_id: edit.remove };
      if ("put" in edit) throw new Error("A batch puts no whole body.");
      const { replace } = edit;
      return { op: "replace", block_id: replace.id, node: paragraph(replace) };
    });
    const body = { base_version: known.version, operations };
    return this.#write(id, { method: "POST", path: `/documents/${id}/batch`, body }, edits, known.version);
  }

  #replacement(block: Block): Edit {
    return { replace: { id: block.id, text: this.#text() } };
  }

  #changeOne(id: string, known: Known, expected: string | undefined): Promise<void> {
    const target = known.blocks.find((block) => block.id !== "?");
    if (!target) return this.#append(id, expected);
    const path = `/documents/${id}/blocks/${target.id}`;
    if (chance(this.#options.random, 40))
      return this.#write(id, { method: "DELETE", path }, [{ remove: target.id }], expected);
    const edit = this.#replacement(target) as Edit & { replace: Block };
    return this.#write(id, { method: "PATCH", path, body: { node: paragraph(edit.replace) } }, [edit], expected);
  }

  async #read(id: string, known: string | undefined): Promise<void> {
    const headers: Headers = known === undefined ? {} : { "if-none-match": `"${known}"` };
    const invoked = now();
    const got = await this.#try({ method: "GET", path: `/documents/${id}/content`, headers });
    if (!got) return;
    this.#record(id, invoked, { kind: "read", known }, answerOf(got));
    if (got.status === 200) this.#learn(id, got.body.data);
  }

  #learn(id: string, { version, document }: Loose): void {
    this.#known.set(id, { version, blocks: blocksOf(document.content) });
  }

  /** Records a write and what became of it; without an answer the client reads before it goes on. */
  async #write(id: string, sent: Sent, edits: readonly Edit[], expected: string | undefined): Promise<void> {
    const inBody = (sent.body as Loose)?.base_version !== undefined;
    const headers: Headers = expected === undefined || inBody ? {} : { "if-match": `"${expected}"` };
    const invoked = now();
    const got = await (sent.method === "POST" ? this.#tryKeyed({ ...sent, headers }) : this.#try({ ...sent, headers }));
    this.#record(id, invoked, { kind: "write", expected, edits }, got && answerOf(got));
    await this.#read(id, undefined);
  }

  #record(id: string, invoked: number, request: Request, answer: Answer | undefined): void {
    const completed = answer && now();
    this.#options.recorder.add(id, { client: this.#options.name, invoked, completed, request, answer });
  }

  async #create(): Promise<void> {
    const { recorder, knowledgeBaseId: knowledge_base_id } = this.#options;
    const title = this.#text();
    const got = await this.#tryKeyed({ method: "POST", path: "/documents", body: { title, knowledge_base_id } });
    if (got) assert.equal(got.status, 201, got.text);
    recorder.creations.push({ title, id: got?.body.data.id });
  }

  async #try(sent: Sent): Promise<Got | undefined> {
    const got = await sendOnce(this.#options.url, this.#options.token, sent);
    assert.ok(!got || got.status < 500, got?.text);
    return got;
  }

  /** Sends again under the same key until an answer comes; sometimes twice at once, and sometimes once more afterwards. */
  async #tryKeyed(sent: Sent): Promise<Got | undefined> {
    const { random, name, recorder } = this.#options;
    const key = `${name}-key-${++this.#serial}`;
    const tryOnce = async () => {
      const got = await this.#try({ ...sent, headers: { ...sent.headers, "idempotency-key": key } });
      if (got?.body.error?.code === "idempotency_in_progress") return undefined;
      if (got) recorder.keyed.push({ key, status: got.status, body: got.text, replayed: got.replayed });
      return got;
    };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const answers = await Promise.all(chance(random, 20) ? [tryOnce(), tryOnce()] : [tryOnce()]);
      const got = answers.find((answer) => answer !== undefined);
      if (got && chance(random, 15)) await tryOnce();
      if (got) return got;
      await sleep(random(30));
    }
    return undefined;
  }
}

function answerOf({ status, body, text }: Got): Answer {
  if (status === 304) return { kind: "not modified" };
  if (status < 300 && body.data.document)
    return { kind: "content", version: body.data.version, blocks: blocksOf(body.data.document.content) };
  if (status < 300) return { kind: "written", version: body.data.version };
  if (body.error.code === "version_conflict") return { kind: "conflict", current: body.error.details.current_version };
  assert.ok(["not_found", "block_not_found"].includes(body.error.code), text);
  return { kind: "no such block" };
}
