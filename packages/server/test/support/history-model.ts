import assert from "node:assert/strict";
import { readNodes } from "./bodies.ts";
import type { Client, Loose } from "./client.ts";

interface ModelWriter {
  readonly user_id: string;
  readonly client: string | null;
  readonly agent: boolean;
  readonly accepted_by: string | null;
}

interface ModelState {
  kind: string;
  owner: string;
  isOpen: boolean;
  writers: ModelWriter[];
  nodes: string;
  version: string;
}

const keyOf = (writer: ModelWriter): string => JSON.stringify(writer);

/** The history and the authors of one document, as the rules describe them, kept in the simplest way. */
export class HistoryModel {
  readonly #client: Client;
  readonly #id: string;
  readonly states: ModelState[] = [];
  readonly authors = new Map<string, { writer: ModelWriter; version: string }>();
  #nodes: Loose[] = [];

  constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  /** Notes what one writer has just done to the body. */
  async note(kind: string, writer: ModelWriter): Promise<void> {
    const { nodes, version } = await readNodes(this.#client, this.#id);
    if (version === this.states[0]?.version) return;
    const before = new Map(this.#nodes.map((node) => [node.attrs.id, JSON.stringify(node)]));
    for (const node of nodes)
      if (before.get(node.attrs.id) !== JSON.stringify(node)) this.authors.set(node.attrs.id, { writer, version });
    this.#nodes = nodes;
    const reached = { nodes: JSON.stringify(nodes), version };
    if (kind === "session") this.#edit(writer, reached);
    else {
      this.pause();
      this.states.unshift({ kind, owner: "", isOpen: false, writers: [writer], ...reached });
    }
  }

  #edit(writer: ModelWriter, reached: { nodes: string; version: string }): void {
    const at = this.states.findIndex((state) => state.isOpen && state.owner === writer.user_id);
    const own = this.states[at];
    if (!own) {
      this.states.unshift({ kind: "session", owner: writer.user_id, isOpen: true, writers: [writer], ...reached });
      return;
    }
    const above = this.states[at - 1];
    this.states.splice(at, 1);
    if (above) above.writers.push(...own.writers);
    this.states.unshift({ ...own, ...reached, writers: [writer] });
  }

  /** Ends all sessions. */
  pause(): void {
    for (const state of this.states) state.isOpen = false;
  }

  async check(): Promise<void> {
    const history: Loose[] = (await this.#client.get(`/documents/${this.#id}/history?limit=100`)).data;
    const shown = history.map(({ kind, version, by }) => ({
      kind,
      version,
      by: [...new Set(by.map(writerOf))].sort(),
    }));
    const expected = this.states.map(({ kind, version, writers }) => ({
      kind,
      version,
      by: [...new Set(writers.map(keyOf))].sort(),
    }));
    assert.deepEqual(shown, expected);
    const sessions = this.states.flatMap((state, at) =>
      state.owner === "" ? [] : [[history[at].by[0].user_id, state.owner]],
    );
    for (const [first, owner] of sessions) assert.equal(first, owner);
    for (const [at, state] of this.states.entries()) {
      const path = `/documents/${this.#id}/history/${history[at].id}`;
      const { data } = await this.#client.get(path);
      assert.equal(JSON.stringify(data.document.content), state.nodes);
      assert.equal(data.version, state.version);
    }
    const blame: Loose[] = (await this.#client.get(`/documents/${this.#id}/blame`)).data;
    assert.deepEqual(
      blame.map(({ block_id, by, version }) => [block_id, writerOf(by), version]),
      this.#nodes.map(({ attrs }) => {
        const author = this.authors.get(attrs.id);
        return [attrs.id, author && keyOf(author.writer), author?.version];
      }),
    );
  }
}

/** A writer of an answer in the model's form. */
const writerOf = ({ user_id, client, agent, accepted_by }: Loose): string =>
  keyOf({ user_id, client, agent, accepted_by: accepted_by?.user_id ?? null });
