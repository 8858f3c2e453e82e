import { after, before, describe } from "node:test";
import { type Client, type ClientOptions, createClient } from "@svc/sdk";
import { type Person, World } from "../../../server/test/support/world.ts";

/** A server on an empty store, and clients that reach it over HTTP. */
export class Stage {
  readonly world: World;
  #person: Person | undefined;

  constructor(settings: Record<string, string> = {}) {
    this.world = new World("sqlite", settings);
  }

  async start(): Promise<void> {
    await this.world.start();
    this.#person = await this.world.person();
  }

  get person(): Person {
    if (!this.#person) throw new Error("The stage has not been started.");
    return this.#person;
  }

  /** Waits are short, so that tests of retries are quick. */
  client(options: Partial<ClientOptions> = {}): Client {
    const retry = { baseMs: 5, maxMs: 20, ...options.retry };
    return createClient({ baseUrl: this.world.url, token: this.person.token, ...options, retry });
  }

  async knowledgeBase(name = "Handbook"): Promise<number> {
    return (await this.client().post("/knowledge-bases", { body: { name } })).data.id;
  }

  async document(markdown = "# Title\n\nFirst.", title = "Guide"): Promise<{ id: string; version: string }> {
    const knowledge_base_id = await this.knowledgeBase();
    const content = { format: "markdown", content: markdown } as const;
    return (await this.client().post("/documents", { body: { title, knowledge_base_id, content } })).data;
  }
}

export function onStage(title: string, suite: (stage: Stage) => void, settings: Record<string, string> = {}): void {
  describe(title, () => {
    const stage = new Stage(settings);
    before(() => stage.start());
    after(() => stage.world.stop());
    suite(stage);
  });
}
