import assert from "node:assert/strict";
import type { Client } from "../../packages/server/test/support/client.ts";
import type { Corpus } from "./corpus.ts";
import type { Store } from "./tasks.ts";

/** The pages of a service, through its API. */
export class ServiceStore implements Store {
  readonly client: Client;
  readonly corpus: Corpus;

  constructor(client: Client, corpus: Corpus) {
    this.client = client;
    this.corpus = corpus;
  }

  async text(title: string): Promise<string> {
    return (await this.client.get(`/documents/${await this.#id(title)}/content?format=markdown`)).text;
  }

  async append(title: string, section: string | undefined, markdown: string): Promise<void> {
    const { status } = await this.client.post(`/documents/${await this.#id(title)}/batch`, {
      base_version: "*",
      operations: [{ op: "append_markdown", markdown, ...(section !== undefined && { section }) }],
    });
    assert.equal(status, 200);
  }

  async addLink(from: string, to: string): Promise<void> {
    const id = await this.#id(to);
    const { data } = await this.client.get(`/documents/${id}/outline`);
    const rules = data.items.find((item: { text: string }) => item.text === "Rules");
    await this.append(from, undefined, `See [the rules](svc://doc/${id}#block=${rules.block_id}).`);
  }

  async linkTarget(from: string): Promise<string> {
    const id = /svc:\/\/doc\/(doc_\w+)#block/.exec(await this.text(from))?.[1];
    return (await this.client.get(`/documents/${id}`)).data.title;
  }

  async folderOf(title: string): Promise<string> {
    const { data } = await this.client.get(`/documents/${await this.#id(title)}/path`);
    return data.folders.at(-1).name;
  }

  async #id(title: string): Promise<string> {
    const known = this.corpus.ids.get(title);
    if (known !== undefined) return known;
    const { data } = await this.client.get(`/documents?q=${encodeURIComponent(title)}`);
    assert.equal(data.length, 1);
    return data[0].id;
  }
}
